// The report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Ledger, Text) {
  Scheduled done(kRowsKernel, "let y = store(y)\nbind(y.r, warp)\nexpect regs <= 128");
  EXPECT_EQ(done.report, "bind(store y.r, warp)    at t.sched:3:1\n"
                         "    proved   instances of `store y` write different cells\n"
                         "expect regs <= 128    at t.sched:4:8\n"
                         "    open     regs <= 128 (layouts)\n"
                         "2 steps: 1 proved, 0 assumed, 0 trusted, 0 program, 1 open\n");
}

TEST(Ledger, OptionalArgumentsAreNamed) {
  Scheduled done(kRowsKernel, "insert_barrier(load(x).after, scope = warp)\n"
                              "insert_barrier(load(x).after)");
  EXPECT_THAT(done.report, HasSubstr("insert_barrier(load x.after, scope = warp)    at"));
  EXPECT_THAT(done.report, HasSubstr("insert_barrier(load x.after)    at"));
}

TEST(Ledger, Json) {
  Scheduled done(kRowsKernel, "bind(store(y).r, warp)");
  std::string text;
  llvm::raw_string_ostream os(text);
  done.ledger.printJson(os, nullptr);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(value)) << text;
  const llvm::json::Object *root = value->getAsObject();
  EXPECT_EQ(root->getObject("totals")->getInteger("proved"), 1);
  const llvm::json::Object *step = root->getArray("steps")->front().getAsObject();
  EXPECT_EQ(step->getString("primitive"), llvm::StringRef("bind"));
  EXPECT_EQ(step->getArray("conditions")->front().getAsObject()->getString("standing"),
            llvm::StringRef("proved"));
}

TEST(Ledger, EveryPrimitiveIsDocumented) {
  schedule::PrimitiveRegistry registry;
  schedule::addAllPrimitives(registry);
  std::set<std::string> names;
  for (const schedule::Primitive &primitive : registry.primitives()) {
    const script::Signature &signature = primitive.signature;
    EXPECT_TRUE(names.insert(signature.name).second) << signature.name << " twice";
    EXPECT_NE(signature.doc, "") << signature.name;
    EXPECT_NE(signature.group, "") << signature.name;
    EXPECT_TRUE(signature.isPure || !signature.after.empty()) << signature.name << ": no example";
  }
}
