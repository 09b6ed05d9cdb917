// Declarations of synchronisation: a closed set of steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::StringRef;

SyncParam Parser::parseSyncParam() {
  SyncParam param;
  uint32_t begin = tok().begin;
  param.name = parseIdent("of a parameter");
  if (!failed && expect(Tok::Colon, "and the type after the name of a parameter")) {
    if (accept(Tok::KwConst)) {
      parseChoice("the type of a constant", {"int"});
    } else if (acceptWord("mbarrier")) {
      param.kind = SyncParamKind::Mbarrier;
    } else {
      param.kind = SyncParamKind::Scalar;
      param.type = parseType();
    }
  }
  param.range = since(begin);
  return param;
}

/// Behind `mbarrier`: `init(b, n)`, `arrive(b)`, `expect(b, bytes)`, `wait(b, parity)`.
void Parser::parseMbarrierStep(SyncStep &step) {
  Ident word = parseChoice("what is done with an mbarrier", {"init", "arrive", "expect", "wait"});
  step.step = word.name == "init"     ? SyncKind::MbarInit
              : word.name == "arrive" ? SyncKind::MbarArrive
              : word.name == "expect" ? SyncKind::MbarExpect
                                      : SyncKind::MbarWait;
  uint32_t open = at_;
  if (failed || !expect(Tok::LParen, "and the mbarrier")) {
    return;
  }
  Brackets scope(*this);
  step.object = parseIdent("of an mbarrier");
  if (!failed && step.step != SyncKind::MbarArrive &&
      expect(Tok::Comma, step.step == SyncKind::MbarInit     ? "and the number of arrivals"
                         : step.step == SyncKind::MbarExpect ? "and the number of bytes"
                                                             : "and the parity of the phase")) {
    step.amount = parseExpr();
  }
  if (failed) {
    recoverTo(open);
  } else {
    expect(Tok::RParen, "after the arguments");
  }
}

SyncStep Parser::parseSyncStep() {
  static constexpr StringRef kinds[] = {"cp_async", "bulk", "wgmma"};
  static constexpr StringRef proxies[] = {"generic", "async", "cp_async", "tma", "bulk", "wgmma"};
  SyncStep step;
  uint32_t begin = tok().begin;
  if (acceptWord("barrier")) {
    step.step = SyncKind::Barrier;
  } else if (acceptWord("fence")) {
    step.step = SyncKind::Fence;
  } else if (acceptWord("commit")) {
    step.step = SyncKind::Commit;
    parseChoice("`group` after `commit`", {"group"});
    step.of = failed ? Ident() : parseChoice("the kind of the group", kinds);
  } else if (acceptWord("wait")) {
    step.step = SyncKind::Wait;
    parseChoice("`group` after `wait`", {"group"});
    uint32_t open = at_;
    if (!failed && expect(Tok::LParen, "and the number of groups that may stay open")) {
      Brackets scope(*this);
      step.amount = parseExpr();
      failed ? static_cast<void>(recoverTo(open))
             : static_cast<void>(expect(Tok::RParen, "after the number of groups"));
    }
    failed ? Ident() : parseChoice("`of` and the kind of the groups", {"of"});
    step.of = failed ? Ident() : parseChoice("the kind of the groups", kinds);
  } else if (acceptWord("publishes")) {
    step.step = SyncKind::Publish;
    step.of = parseChoice("the way of the writes", proxies);
    if (!failed && expect(Tok::Arrow, "and the way that sees them")) {
      step.to = parseChoice("the way that sees them", proxies);
    }
  } else if (acceptWord("mbarrier")) {
    parseMbarrierStep(step);
  } else if (acceptWord("setreg")) {
    Ident word = parseChoice("a direction after `setreg`", {"inc", "dec"});
    step.step = word.name == "inc" ? SyncKind::RegistersUp : SyncKind::RegistersDown;
    step.amount = failed ? nullptr : parseExpr();
  } else {
    error(diag::expected_sync_step, errorPlace(), found())
        .help("steps are `barrier`, `fence`, `commit group K`, `wait group(n) of K`, `publishes A "
              "-> B`, `mbarrier init(b, n)`, `mbarrier arrive(b)`, `mbarrier expect(b, bytes)`, "
              "`mbarrier wait(b, parity)` and `setreg inc n`");
  }
  step.range = since(begin);
  return step;
}

std::unique_ptr<Item> Parser::parseSync() {
  auto item = std::make_unique<Sync>();
  uint32_t begin = tok().begin;
  advance();
  item->name = parseIdent("after `sync`");
  llvm::SaveAndRestore<bool> lines(newlines, false);
  if (!failed && at(Tok::LParen)) {
    uint32_t open = at_;
    advance();
    parseList(open, Tok::RParen, "in the parameters",
              [&] { item->params.push_back(parseSyncParam()); });
  }
  if (!failed && acceptWord("on")) {
    item->arch = parseArch();
  }
  if (!failed && acceptWord("scope")) {
    item->scope = parseExecScope();
  }
  if (openBlock("before the steps of the `sync`")) {
    uint32_t open = at_ - 1;
    Brackets scope(*this, /*newlines=*/true);
    bool isEmpty = blockEnds();
    parseLines(open, "steps", [&] { item->steps.push_back(parseSyncStep()); });
    if (isEmpty && !failed) {
      complain(diag::expected_sync_step, item->name.range, "none")
          .help("write at least one step, such as `barrier`");
    }
  }
  return finish<Item>(std::move(item), since(begin));
}
