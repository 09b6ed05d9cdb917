// Arguments of random calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_TESTING_SCHEDULES_ARGUMENTS_H
#define TESSERA_LIB_TESTING_SCHEDULES_ARGUMENTS_H

#include "Places.h"

#include "tessera/Check/Random.h"

namespace tessera::schedulefuzz {

/// Makes arguments by the kinds of a signature's parameters: mostly of the class that the primitive is about, now and
/// then any that the kind allows.
class Arguments {
public:
  Arguments(schedule::ScheduleHost &host, const std::vector<Place> &places, Random &random)
      : host(host), places(places), random(random) {}

  /// One for each parameter, defaults filled in; nothing where there is no place of a kind. The text of one that is left
  /// out is empty.
  std::optional<std::vector<Written>> forCall(const script::Signature &signature);

private:
  std::optional<Written> forParameter(const script::Signature &signature,
                                      const script::Parameter &parameter);
  std::optional<Written> ofKind(const script::Signature &signature,
                                const script::Parameter &parameter, script::ValueKind kind);
  std::optional<Written> place(llvm::StringRef primitive, const script::Parameter &parameter,
                               script::ValueKind kind);
  std::optional<Written> more(const script::Signature &signature,
                              const script::Parameter &parameter);
  std::optional<Written> ops();
  std::vector<Written> some(llvm::function_ref<bool(const Place &)> fits, unsigned most);
  std::optional<Written> ofMeaning(const script::Signature &signature,
                                   const script::Parameter &parameter);
  std::optional<Written> rolesRecord();
  std::optional<Written> word(llvm::StringRef text);
  std::optional<Written> instructionName();
  std::optional<Written> order();
  Written opsRecord();
  std::optional<std::vector<Written>> forReorder();
  Written record(const script::Signature &signature, const script::Parameter &parameter);
  std::optional<Written> layout();
  Written fact();
  Written integer();
  Written name(const script::Signature &signature, const script::Parameter &parameter);
  bool chance(unsigned percent) { return random.below(100) < percent; }
  bool suits(llvm::StringRef primitive, llvm::StringRef parameter, const Place &place) const;

  schedule::ScheduleHost &host;
  const std::vector<Place> &places;
  Random &random;
  std::vector<Written> made;     ///< of the call at work
  mlir::Operation *at = nullptr; ///< the op of its first cursor
};

} // namespace tessera::schedulefuzz

#endif // TESSERA_LIB_TESTING_SCHEDULES_ARGUMENTS_H
