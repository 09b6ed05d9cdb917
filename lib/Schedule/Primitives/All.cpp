// The table of all primitives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Primitive.h"
#include "tessera/Schedule/ScheduleHost.h"

void tessera::schedule::addAllPrimitives(PrimitiveRegistry &registry) {
  addFinders(registry);
  addInspections(registry);
  addLayouts(registry);
#define TESSERA_PRIMITIVE(NAME) add##NAME(registry);
#include "tessera/Schedule/Primitives.def"
#undef TESSERA_PRIMITIVE
}
