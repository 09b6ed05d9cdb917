// The example kernels parse as they stand, and print to text that parses to the same tree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::testing;

class ExamplesTest : public ::testing::TestWithParam<const char *> {};

TEST_P(ExamplesTest, RoundTrip) {
  std::string text = readFile(std::string("examples/") + GetParam());
  ASSERT_FALSE(text.empty());
  expectRoundTrip(text);
}

TEST_P(ExamplesTest, HasKernelTestAndDoc) {
  Parsed parsed(readFile(std::string("examples/") + GetParam()));
  std::string stem = llvm::StringRef(GetParam()).drop_back(5).str();
  bool kernel = false, test = false;
  for (const auto &item : parsed.file->items) {
    if (auto *k = llvm::dyn_cast<ast::Kernel>(item.get())) {
      EXPECT_EQ(k->name.name, stem);
      EXPECT_NE(k->find<ast::Reference>(), nullptr);
      EXPECT_NE(k->find<ast::Tolerance>(), nullptr);
      kernel = true;
    }
    if (auto *t = llvm::dyn_cast<ast::Test>(item.get())) {
      EXPECT_EQ(t->kernel.name, stem);
      EXPECT_GE(t->entries.size(), 4u);
      test = true;
    }
  }
  EXPECT_TRUE(kernel);
  EXPECT_TRUE(test);
  EXPECT_FALSE(parsed.file->items.front()->doc.empty());
}

TEST_P(ExamplesTest, CommentsSurvivePrinting) {
  Parsed parsed(readFile(std::string("examples/") + GetParam()));
  PrintOptions options;
  options.sources = &parsed.sources;
  std::string printed = print(*parsed.file, options);
  for (const ast::Comment &comment : parsed.file->comments) {
    EXPECT_NE(printed.find(comment.text), std::string::npos) << comment.text;
  }
  Parsed again(printed);
  EXPECT_EQ(again.errors(), "");
  EXPECT_TRUE(ast::equal(*parsed.file, *again.file)) << printed;
  EXPECT_EQ(again.file->comments.size(), parsed.file->comments.size());
  PrintOptions second;
  second.sources = &again.sources;
  EXPECT_EQ(print(*again.file, second), printed);
}

TEST_P(ExamplesTest, CodeFitsInTheWidth) {
  Parsed parsed(readFile(std::string("examples/") + GetParam()));
  llvm::SmallVector<llvm::StringRef> lines;
  std::string printed = print(*parsed.file);
  llvm::StringRef(printed).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!line.starts_with("##")) {
      EXPECT_LE(countCodePoints(line), 100u) << line.str();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExamplesTest, ::testing::ValuesIn(kExamples), [](const auto &info) {
  return llvm::StringRef(info.param).drop_back(5).str();
});
