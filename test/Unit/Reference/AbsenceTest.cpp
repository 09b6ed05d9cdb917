// Absence in formulas, and branches that are evaluated only where they are taken.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;

namespace {
class AbsenceTest : public ReferenceTest {
protected:
  /// r[i] = `expression` of %v = x[i], absent where x[i] < 0.
  FormulaArray guarded(const std::string &expression, const std::string &type,
                       const std::vector<float> &x) {
    return evaluateVector(R"(
      %zero = tile.constant 0.0 : f32
      %r = tile.map (%i in %c0 to %N) -> tensor<?x)" +
                              type + R"(> {
        %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
        %n = tile.cmp lt, %e, %zero : f32
        %v = scf.if %n -> f32 {
          %a = tile.absent : f32
          scf.yield %a : f32
        } else {
          scf.yield %e : f32
        }
        )" + expression + R"(
        tile.yield %w : )" + type +
                              R"(
      }
      tile.yield %r : tensor<?x)" +
                              type + ">",
                          x);
  }
};
} // namespace

TEST_F(AbsenceTest, PassesThroughOperations) {
  FormulaArray r = guarded("%w = tile.add %v, %e : f32", "f32", {1, -1, 2});
  EXPECT_THAT(presence(r), ElementsAre(1, 0, 1));
  EXPECT_EQ(elements<float>(r)[0], 2);
  EXPECT_EQ(elements<float>(r)[2], 4);
}

TEST_F(AbsenceTest, AllOrNone) {
  EXPECT_TRUE(guarded("%w = tile.neg %v : f32", "f32", {1, 2}).presence.empty());
  EXPECT_THAT(presence(guarded("%w = tile.neg %v : f32", "f32", {-1, -2})), ElementsAre(0, 0));
}

TEST_F(AbsenceTest, FillAndPresent) {
  FormulaArray filled = guarded("%w = tile.fill_absent %v, %zero : f32", "f32", {1, -1, 2});
  EXPECT_THAT(elements<float>(filled), ElementsAre(1, 0, 2));
  EXPECT_THAT(presence(filled), ElementsAre(1, 1, 1));
  EXPECT_THAT(elements<uint8_t>(guarded("%w = tile.present %v : f32", "i1", {1, -1, 2})),
              ElementsAre(1, 0, 1));
  FormulaArray twice = guarded(R"(%two = tile.constant 2.0 : f32
    %big = tile.cmp gt, %e, %two : f32
    %u = tile.keep_if %e, %big over [] : f32, i1
    %w = tile.fill_absent %u, %v : f32)",
                               "f32", {1, -1, 3});
  EXPECT_THAT(presence(twice), ElementsAre(1, 0, 1));
}

TEST_F(AbsenceTest, SelectIsStrict) {
  FormulaArray r = guarded(R"(%t = tile.constant true
    %w = tile.select %t, %e, %v : f32)",
                           "f32", {1, -1});
  EXPECT_THAT(presence(r), ElementsAre(1, 0));
}

TEST_F(AbsenceTest, AbsentConditionGivesAbsent) {
  FormulaArray r = guarded(R"(%p = tile.cmp gt, %v, %zero : f32
    %w = scf.if %p -> f32 {
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    })",
                           "f32", {1, -1, 0});
  EXPECT_THAT(presence(r), ElementsAre(1, 0, 1));
  EXPECT_EQ(elements<float>(r)[2], 0);
}

TEST_F(AbsenceTest, FoldsSkipAbsentTerms) {
  const std::string body = R"(
    %zero = tile.constant 0.0 : f32
    %v = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      %p = tile.cmp ge, %e, %zero : f32
      %k = tile.keep_if %e, %p over [] : f32, i1
      tile.yield %k : f32
    }
    %r = tile.map (%i in %c0 to %c1) -> tensor<?xf32> {
      %s = tile.fold max %j in (%c0 to %N) -> f32 {
        %e = tile.at %v[%j] : tensor<?xf32> -> f32
        %n = tile.neg %e : f32
        tile.yield %n : f32
      }
      tile.yield %s : f32
    }
    tile.yield %r : tensor<?xf32>)";
  EXPECT_THAT(elements<float>(evaluateVector(body, {5, -1, 2, -7})), ElementsAre(-2));
  FormulaArray none = evaluateVector(body, {-1, -7});
  EXPECT_THAT(elements<float>(none), ElementsAre(-std::numeric_limits<float>::infinity()));
  EXPECT_THAT(presence(none), ElementsAre(1));
}

TEST_F(AbsenceTest, FoldSkipsPerLane) {
  // r[i] = sum of x[k] for k with k != i, by an absent term.
  FormulaArray r = evaluateVector(R"(
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %s = tile.fold sum %k in (%c0 to %N) -> f32 {
        %e = tile.at %x[%k] : !tile.view<?xf32, in> -> f32
        %d = tile.cmp ne, %k, %i : i64
        %v = tile.keep_if %e, %d over [] : f32, i1
        tile.yield %v : f32
      }
      tile.yield %s : f32
    }
    tile.yield %r : tensor<?xf32>)",
                                  {1, 2, 4});
  EXPECT_THAT(elements<float>(r), ElementsAre(6, 5, 3));
}

TEST_F(AbsenceTest, GuardedIndexMayBeOutOfRange) {
  // x[i + 1] if there is one.
  FormulaArray r = evaluateVector(R"(
    %zero = tile.constant 0.0 : f32
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %next = tile.add %i, %c1 : i64
      %in = tile.cmp lt, %next, %N : i64
      %v = scf.if %in -> f32 {
        %e = tile.at %x[%next] : !tile.view<?xf32, in> -> f32
        scf.yield %e : f32
      } else {
        scf.yield %zero : f32
      }
      tile.yield %v : f32
    }
    tile.yield %r : tensor<?xf32>)",
                                  {1, 2, 3});
  EXPECT_THAT(elements<float>(r), ElementsAre(2, 3, 0));
}

TEST_F(AbsenceTest, AbsentIndexGivesAbsentElement) {
  FormulaArray r = guarded(R"(%k = tile.cast %v {round = #tile.round<rz>} : f32 to i64
    %w = tile.at %x[%k] : !tile.view<?xf32, in> -> f32)",
                           "f32", {2, -100, 0});
  EXPECT_THAT(presence(r), ElementsAre(1, 0, 1));
  EXPECT_EQ(elements<float>(r)[0], 0);
  EXPECT_EQ(elements<float>(r)[2], 2);
}

TEST_F(AbsenceTest, NestedBranches) {
  // i < 1: 10; i < 2: absent; else x[i - 2], which the other branches must not read.
  FormulaArray r = evaluateVector(R"(
    %ten = tile.constant 10.0 : f32
    %c2 = tile.constant 2 : i64
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %a = tile.cmp lt, %i, %c1 : i64
      %v = scf.if %a -> f32 {
        scf.yield %ten : f32
      } else {
        %b = tile.cmp lt, %i, %c2 : i64
        %u = scf.if %b -> f32 {
          %n = tile.absent : f32
          scf.yield %n : f32
        } else {
          %k = tile.sub %i, %c2 : i64
          %e = tile.at %x[%k] : !tile.view<?xf32, in> -> f32
          scf.yield %e : f32
        }
        scf.yield %u : f32
      }
      tile.yield %v : f32
    }
    tile.yield %r : tensor<?xf32>)",
                                  {7, 8, 9, 1});
  EXPECT_THAT(presence(r), ElementsAre(1, 0, 1, 1));
  EXPECT_EQ(elements<float>(r)[0], 10);
  EXPECT_EQ(elements<float>(r)[2], 7);
  EXPECT_EQ(elements<float>(r)[3], 8);
}
