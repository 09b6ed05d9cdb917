// The interpreter of scripts: a walk over the tree with one stack of variables.
//
// Failing. `raise` stores a Failure and makes `stopped()` true; every step returns at once while it is set. `try` takes
// the failure when a host or a `require` raised it; errors of the script itself (a name, a kind, the limits) are never
// caught. What is not caught is reported once, with the calls that were open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_SCRIPT_INTERPRETER_H
#define TESSERA_LIB_SCHEDULE_SCRIPT_INTERPRETER_H

#include "tessera/Schedule/Script.h"
#include "tessera/Schedule/ScriptDiagnostics.h"

#include "llvm/ADT/StringSet.h"

#include <initializer_list>

namespace tessera::script {

class Interpreter {
public:
  Interpreter(const Program &program, Host &host, const RunOptions &options)
      : program(program), host(host), options(options) {}
  bool run(const Schedule &schedule);

private:
  /// Steps that may be open at once; bounds the C++ stack.
  static constexpr unsigned kMaxDepthOfSteps = 1500;
  /// Open calls that a message lists from each end.
  static constexpr size_t kShownCalls = 8;

  struct Failure {
    const DiagnosticInfo *row = nullptr;
    SourceRange range;
    std::string parts[4]; ///< {0} to {3} of the message
    std::vector<DiagnosticNote> notes;
    std::string help;
    std::string primitive; ///< for `err`
    std::string code;
    bool canCatch = false;
    std::string message() const;
  };

  struct Frame {
    const Def *def; ///< null for the schedule
    const Module *module;
    SourceRange callSite;
    llvm::StringMap<size_t> names; ///< variable -> slot; no two have the same name
    std::vector<std::string> order;
  };

  /// What binds arguments to parameters sees of a function or a primitive.
  struct ParamView {
    llvm::StringRef name;
    ValueKind kind;
    bool hasDefault;
    bool isVariadic;
  };
  struct Callee {
    std::string name;
    FunctionRef function;
    const Signature *primitive = nullptr;
    const Signature *builtin = nullptr;
    std::vector<ParamView> params;
  };
  struct BoundArg {
    const Expr *expr = nullptr; ///< or
    std::optional<Value> value; ///< a receiver
    std::vector<const Expr *> more;
  };

  // Control (Interpreter.cpp).
  bool stopped() const { return failed || returning; }
  bool setParams(const Schedule &schedule);
  std::optional<Value> settingOf(const Schedule &schedule, const ScheduleParam &param,
                                 const Value &fallback);
  bool checkFunctions();
  void block(const Block &block);
  void stmt(const Stmt &stmt);
  void let(const Let &let);
  void assign(const Assign &assign);
  void forLoop(const For &loop);
  void whileLoop(const While &loop);
  bool isOneCall(const Block &block);
  void tryBlock(const Try &stmt);
  void require(const Require &stmt);
  void print(const Print &stmt);
  void trust(const Trust &stmt);
  void facts(const std::vector<ExprPtr> &facts, bool areAssumed);
  bool condition(const Expr &cond);
  bool declare(const Ident &name, Value value);
  void closeScope(size_t count);
  Value *variable(llvm::StringRef name);

  // Failing (Failures.cpp).
  /// False, so that it can be returned.
  bool raise(const DiagnosticInfo &row, SourceRange range, std::initializer_list<std::string> parts,
             const llvm::Twine &help);
  bool raise(DiagId id, SourceRange range, std::initializer_list<std::string> parts,
             const llvm::Twine &help) {
    return raise(row(id), range, parts, help);
  }
  bool raise(diag::Id id, SourceRange range, std::initializer_list<std::string> parts,
             const llvm::Twine &help) {
    return raise(diagnosticInfo(id), range, parts, help);
  }
  void noteOrigin(const Value &value);
  bool raiseHost(llvm::Error error, SourceRange range, llvm::StringRef primitive);
  void raiseHost(const HostError &error, SourceRange range, llvm::StringRef primitive);
  void reportFailure();
  Value errorRecord(SourceRange origin) const;

  // Expressions (Eval.cpp).
  struct Deeper {
    Interpreter &self;
    explicit Deeper(Interpreter &self) : self(self) { ++self.depth; }
    ~Deeper() { --self.depth; }
  };
  bool step(SourceRange range, uint64_t cost = 1);
  Value eval(const Expr &expr);
  Value evalAny(const Expr &expr);
  Value name(const Name &expr);
  Value list(const List &expr);
  Value record(const Record &expr);
  Value range(const Range &expr);
  Value unary(const Unary &expr);
  Value binary(const Binary &expr);
  Value logic(const Binary &expr);
  Value member(const Member &expr);
  Value memberOf(const Value &base, const Ident &name, SourceRange range);
  Value index(const Index &expr);
  Value ifValue(const If &expr);
  Value sized(Value value, size_t size, size_t limit, SourceRange range);
  bool unknownName(llvm::StringRef name, SourceRange range);

  // Operators (Operators.cpp).
  Value operate(const Binary &expr, const Value &lhs, const Value &rhs);
  Value arithmetic(const Binary &expr, int64_t lhs, int64_t rhs);
  Value divide(const Binary &expr, int64_t lhs, int64_t rhs);
  Value contains(const Binary &expr, const Value &lhs, const Value &rhs);
  Value containsFact(const Binary &expr, const Value &lhs, const std::vector<Value> &elements);
  Value factOf(const Binary &expr, const Value &lhs, const Value &rhs);

  // Calls (Calls.cpp, Arguments.cpp).
  Value call(const Call &expr);
  bool resolve(const Call &expr, Callee &callee, std::optional<Value> &receiver);
  bool resolveName(llvm::StringRef name, const Module &module, Callee &callee);
  bool unknownCallee(const Call &expr, llvm::StringRef name, const std::optional<Value> &receiver);
  void setParams(Callee &callee) const;
  Value callFunction(const Callee &callee, std::vector<BoundArg> args, SourceRange range);
  Value callPrimitive(const Callee &callee, std::vector<BoundArg> args,
                      std::optional<Value> receiver, const Call &expr);
  Value callBuiltin(const Callee &callee, const std::vector<Value> &args, SourceRange range);
  bool checkResult(const Def &def, const Value &value, SourceRange range);

  /// One argument as written: a name or none, and an expression.
  struct ArgView {
    llvm::StringRef name;
    SourceRange nameRange;
    const Expr *expr;
  };
  std::vector<ArgView> argsOf(const Call &expr, const Callee &callee, bool hasReceiver) const;
  bool bind(const Callee &callee, llvm::ArrayRef<ArgView> args, std::optional<Value> receiver,
            SourceRange range, std::vector<BoundArg> &bound);
  /// The value of an argument for a parameter, checked.
  Value argument(const Callee &callee, size_t param, const BoundArg &arg);
  Value oneArgument(const Callee &callee, size_t param, const Expr &expr);
  bool checkArgument(const Callee &callee, size_t param, const Value &value, SourceRange range);

  const Program &program;
  Host &host;
  const RunOptions &options;
  llvm::StringSet<> words; ///< those that some parameter of a primitive takes
  std::vector<Value> slots;
  std::vector<Frame> frames;
  /// Old values of slots that were assigned while a `try` is open.
  std::vector<std::pair<size_t, Value>> undo;
  unsigned openTries = 0;
  bool failed = false;
  bool returning = false;
  Value returned;
  Failure failure;
  uint64_t steps = 0;
  unsigned depth = 0;
};

/// The name among `names` that `word` may have meant; empty where none is near.
std::string nearest(llvm::StringRef word, const std::vector<std::string> &names);
/// `len`, `str`, …: functions of the language itself.
llvm::ArrayRef<Signature> builtins();

} // namespace tessera::script

#endif // TESSERA_LIB_SCHEDULE_SCRIPT_INTERPRETER_H
