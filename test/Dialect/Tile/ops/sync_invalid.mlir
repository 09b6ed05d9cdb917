// Each case breaks one rule of barriers and groups.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.barrier C1
func.func @f() {
  // expected-error@+1 {{'tile.barrier' op expected `warp`, `wg`, `cta` or `cluster`, found `thread`}}
  tile.barrier thread
  return
}

// -----
// RULE: tile.group_commit C1
func.func @f() {
  // expected-error@+1 {{'tile.group_commit' op expected `cp_async`, `bulk` or `wgmma`, found `generic`, whose ops are not counted in groups}}
  tile.group_commit generic
  return
}

// -----
// RULE: tile.group_commit C1
func.func @f() {
  // expected-error@+1 {{'tile.group_commit' op expected `cp_async`, `bulk` or `wgmma`, found `tma`, whose ops are not counted in groups}}
  tile.group_commit tma
  return
}

// -----
// RULE: tile.group_wait C1
func.func @f() {
  // expected-error@+1 {{'tile.group_wait' op expected `cp_async`, `bulk` or `wgmma`, found `tma`, whose ops are not counted in groups}}
  tile.group_wait tma pending 0
  return
}

// -----
// RULE: tile.group_wait C2
func.func @f() {
  // expected-error@+1 {{'tile.group_wait' op expected 0 or more pending groups, found -1}}
  tile.group_wait bulk pending -1
  return
}
