// Layouts as text: shape : stride, nested, with the algebra as functions.
//
//     layout  = tuple ":" tuple | name | function "(" arguments ")"
//     tuple   = number | "^" number | "(" [ tuple { "," tuple } ] ")"        "^" in strides only: XORed
//     function: compose(l, l)   complement(l [, size])   divide(l, l)   product(l, l)   inverse(l)   left_inverse(l)
//               right_inverse(l)   coalesce(l)   swizzle(bits, base, shift)
//
// The parts of the outer tuple are the inputs `i0`, `i1`, …, the first fastest; deeper nesting is read as modes of its input,
// in order, which is the same function. The output is `offset`. `#` begins a comment up to the end of the line.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LAYOUT_NOTATION_H
#define TESSERA_LAYOUT_NOTATION_H

#include "tessera/Layout/Layout.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera {

/// The layout of a name, or nothing.
using LayoutLookup = llvm::function_ref<std::optional<Layout>(llvm::StringRef)>;

/// Reads a layout. Errors carry the byte where they are (`LayoutError::offset`): T0973 to T0976 for the text, those of the
/// operations for what the text asks for.
llvm::Expected<Layout> parseLayout(llvm::StringRef text, LayoutLookup lookup);
llvm::Expected<Layout> parseLayout(llvm::StringRef text);

/// The text of a layout with one output; a swizzle is recognised where one explains all XORed strides. Layouts with several
/// outputs are written one output after the other, `row = …, col = …`, which cannot be read back.
std::string printLayout(const Layout &layout);

} // namespace tessera

#endif // TESSERA_LAYOUT_NOTATION_H
