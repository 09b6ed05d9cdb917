// Each case breaks one rule of declared instructions.
// RUN: tile-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// RULE: tile.instr C1
"test.block"() ({
  // expected-error@+1 {{'tile.instr' op expected to stand directly in a module}}
  tile.instr @i on "sm_80" scope warp order exact via generic operands [] ptx "" {
  }
}) : () -> ()

// -----
func.func @f() {
  // expected-error@+1 {{'tile.instr' op symbol's parent must have the SymbolTable trait}}
  tile.instr @i on "sm_80" scope warp order exact via generic operands [] ptx "" {
  }
  return
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected a dictionary for each of 1 arguments of the body, found 0}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected a dictionary with `name` and `kind` for operand 0}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [4 : i64] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected a dictionary with `name` and `kind` for operand 0}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a"}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected operands of different names, found `a` twice}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem"}, {name = "a", kind = "smem"}] ptx "" {
^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected operand `a` to be `frag`, `smem`, `view`, `scalar` or `predicate`, found `register`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "register"}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected a tile for operand `a`, a `smem`, found `f32`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem"}] ptx "" {
^bb0(%a: f32):
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected a tile for operand `a`, a `view`, found `tensor<?xf32>`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "view"}] ptx "" {
^bb0(%a: tensor<?xf32>):
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected an element type for operand `a`, a `scalar`, found `tensor<4xf32>`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "scalar"}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C2
// expected-error@+1 {{'tile.instr' op expected `i1` for operand `a`, a `predicate`, found `i8`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "predicate"}] ptx "" {
^bb0(%a: i8):
}

// -----
// RULE: tile.instr C3
// expected-error@+1 {{'tile.instr' op expected fragment `a` to have a `layout`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "frag"}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C3
// expected-error@+1 {{'tile.instr' op expected fragment `a` to have a layout, found `4`: }}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "frag", layout = "4"}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C3
// One position twice, another never.
// expected-error@+1 {{'tile.instr' op expected a bijection from lanes and values to the 4 positions of fragment `a`, found `(2,2):(1,1)`, 4 values to 3 positions}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "frag", layout = "(2,2):(1,1)"}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C3
// As many values, beyond the tile.
// expected-error@+1 {{'tile.instr' op expected a bijection from lanes and values to the 4 positions of fragment `a`, found `(2,2):(1,4)`, 4 values to 6 positions}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "frag", layout = "(2,2):(1,4)"}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C4
// expected-error@+1 {{'tile.instr' op expected a body without memory effects, found `tile.print`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem"}] ptx "" {
^bb0(%a: tensor<4xf32>):
  tile.print "a", %a : tensor<4xf32>
}

// -----
// RULE: tile.instr C4
// expected-error@+1 {{'tile.instr' op expected to yield values of types (tensor<4xf32>) for the operands that are written, found ()}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", out}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C4
// In the order of the operands.
// expected-error@+1 {{'tile.instr' op expected to yield values of types (tensor<4xf32>, tensor<8xf32>) for the operands that are written, found (tensor<8xf32>, tensor<4xf32>)}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", out}, {name = "b", kind = "smem", inout}] ptx "" {
^bb0(%a: tensor<4xf32>, %b: tensor<8xf32>):
  tile.yield %b, %a : tensor<8xf32>, tensor<4xf32>
}

// -----
// RULE: tile.instr C5
tile.instr @good on "sm_80" scope warp order dot via generic operands [{name = "a", kind = "smem"}, {name = "c", kind = "smem", inout}] ptx "" {
^bb0(%a: tensor<2x2xf32>, %c: tensor<2x2xf32>):
  %0 = tile.mma %a, %a, %c : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  tile.yield %0 : tensor<2x2xf32>
}
// expected-error@+1 {{'tile.instr' op expected an `order` that covers `tile.mma`, found `exact`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem"}, {name = "c", kind = "smem", inout}] ptx "" {
^bb0(%a: tensor<2x2xf32>, %c: tensor<2x2xf32>):
  %0 = tile.mma %a, %a, %c : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  tile.yield %0 : tensor<2x2xf32>
}

// -----
// RULE: tile.instr C5
// A maximum is the same in any order, a sum of floats is not.
tile.instr @good on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem"}, {name = "c", kind = "scalar", out}] ptx "" {
^bb0(%a: tensor<4xf32>, %c: f32):
  %0 = tile.reduce max %a along 0 : tensor<4xf32> -> f32
  tile.yield %0 : f32
}
// expected-error@+1 {{'tile.instr' op expected an `order` that covers `tile.reduce`, found `dot`}}
tile.instr @i on "sm_80" scope warp order dot via generic operands [{name = "a", kind = "smem"}, {name = "c", kind = "scalar", out}] ptx "" {
^bb0(%a: tensor<4xf32>, %c: f32):
  %0 = tile.reduce sum %a along 0 : tensor<4xf32> -> f32
  tile.yield %0 : f32
}

// -----
// RULE: tile.instr C5
// A sum in any order is less than a tree promises.
// expected-error@+1 {{'tile.instr' op expected an `order` that covers `tile.reduce`, found `tree`}}
tile.instr @i on "sm_80" scope warp order tree via generic operands [{name = "a", kind = "smem"}, {name = "c", kind = "scalar", out}] ptx "" {
^bb0(%a: tensor<4xf32>, %c: f32):
  %0 = tile.reduce sum %a along 0 {order = #tile.reduce_order<any>} : tensor<4xf32> -> f32
  tile.yield %0 : f32
}

// -----
// RULE: tile.instr C5
// In a branch.
// expected-error@+1 {{'tile.instr' op expected an `order` that covers `tile.scan`, found `tree`}}
tile.instr @i on "sm_80" scope warp order tree via generic operands [{name = "a", kind = "smem", inout}, {name = "p", kind = "predicate"}] ptx "" {
^bb0(%a: tensor<4xf32>, %p: i1):
  %0 = scf.if %p -> tensor<4xf32> {
    %1 = tile.scan sum %a along 0 : tensor<4xf32> -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  tile.yield %0 : tensor<4xf32>
}

// -----
// RULE: tile.instr C6
// expected-error@+1 {{'tile.instr' op expected no entry `inot` of operand `a`: there is none of this name}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", inot}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C6
// expected-error@+1 {{'tile.instr' op expected `align` of operand `a` to be an i64 of at least 1, found `0 : i64`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", align = 0 : i64}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C6
// expected-error@+1 {{'tile.instr' op expected `out` of operand `a` to be a unit attribute, found `true`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", out = true}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C6
// expected-error@+1 {{'tile.instr' op expected `families` of operand `a` to be a list of names, found `[1]`}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", families = [1 : i64]}] ptx "" {
^bb0(%a: tensor<4xf32>):
}

// -----
// RULE: tile.instr C6
// expected-error@+1 {{'tile.instr' op expected operand `a` to be `inout` or `out`, found both}}
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", out, inout}] ptx "" {
^bb0(%a: tensor<4xf32>):
  tile.yield %a : tensor<4xf32>
}
