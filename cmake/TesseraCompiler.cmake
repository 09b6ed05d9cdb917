# Flags that every target shares: optimisation, linker, ccache that hits from another checkout, sanitizers.

set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_DEV "-O1")
set(CMAKE_C_FLAGS_DEV "-O1")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")

# Strict arithmetic: the interpreter promises bits, so no product is fused into a sum unless fma is written.
add_compile_options(-ffp-contract=off -fPIC -ffunction-sections -fdata-sections -fvisibility-inlines-hidden)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
                    $<$<COMPILE_LANGUAGE:CXX>:-Wno-unused-parameter>)
foreach(kind EXE SHARED MODULE)
  string(APPEND CMAKE_${kind}_LINKER_FLAGS " -fuse-ld=lld")
endforeach()

if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
if(TESSERA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# The packaged libraries are built with NDEBUG and ours is not: asserts of our own and of LLVM's headers stay on.
# llvm::Statistic differs between the two, so no pass declares statistics.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # The base directory makes paths relative, so a clone in another folder hits; the precompiled header is made of
  # system headers only and named by a relative path for the same reason.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
