// cluster.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const Scheduled::Options sm90{"sm_90", {}, true, {}};

TEST(Cluster, NeighboursAlongAnAxis) {
  Scheduled done(kSmallProduct, "let t = persistent(self)\ncluster(t.m, 2)", sm90);
  expectSame(done, {{{"M", 40}, {"N", 9}, {"K", 20}}});
  EXPECT_THAT(done.ir, HasSubstr("tile.cluster = 2"));
  EXPECT_THAT(done.report, HasSubstr("2 neighbours along"));
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Cluster, TooMany) {
  expectRefused(kSmallProduct, "let t = persistent(self)", "cluster(t.m, 64)", "cluster_count",
                "a cluster of 64 CTAs", sm90);
  expectRefused(kSmallProduct, "let t = persistent(self)", "cluster(t.m, 2)", "cluster_count",
                "it has 1 to 1");
}

TEST(Cluster, Twice) {
  expectRefused(kSmallProduct, "let t = persistent(self)\ncluster(t.m, 2)", "cluster(t.n, 2)",
                "cluster_twice", "has a cluster already", sm90);
}

TEST(Cluster, NoAxis) {
  expectRefused(kSmallProduct, "", "cluster(def(acc).m, 2)", "cluster_axis", "is no axis", sm90);
}
