# Shared by the shell scripts: the checkout's root, messages, the number of jobs, one build of given targets.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

die() {
  printf '%s: error: %s\n' "$(basename "$0")" "$1" >&2
  shift
  [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
  exit 2
}

note() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# A compile needs up to a gigabyte, so a small machine with many cores takes fewer jobs than it has cores.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemTotal/ { print int($2 / 1500000) + 1 }' /proc/meminfo 2>/dev/null || echo "$cores")
  echo "${TESSERA_JOBS:-$((cores < memory ? cores : memory))}"
}

# build PRESET FOLDER TARGET…: configures once, then builds; says nothing when there is nothing to do.
build() {
  local preset=$1 folder=$root/$2
  shift 2
  mkdir -p "$folder"
  exec 7>"$folder/.tessera-lock"
  flock 7
  if [ ! -f "$folder/build.ninja" ]; then
    note "configuring $folder"
    (cd "$root" && cmake --preset "$preset" >"$folder/configure.log" 2>&1) || {
      tail -n 25 "$folder/configure.log" >&2
      die "cmake --preset $preset failed; the whole log is in $folder/configure.log"
    }
  fi
  ninja -C "$folder" -j "$(jobs)" "$@" 2>&1 |
    { grep --line-buffered -v -e '^ninja: no work' -e '^ninja: Entering' -e 'Re-checking globbed' || true; } >&2
  local status=${PIPESTATUS[0]}
  exec 7>&-
  return "$status"
}
