# Vocabulary of the leaf files.
#
#   tessera_library(NAME SRCS a.cpp … [LINK TesseraX …] [MLIR] [DEPENDS target …])
#   tessera_unittest(NAME SRCS a.cpp … [LINK TesseraX …] [MLIR])
#   tessera_tool(NAME SRCS main.cpp … [LINK TesseraX …])
#   tessera_mutants(NAME)   also NAMEMutants, the library NAME with its planted errors (tessera/Support/Mutants.h)
#
# MLIR: the target includes MLIR's IR headers; it gets the precompiled header and waits for the generated dialect.

if(TESSERA_PCH)
  # One header of MLIR's core, made through ccache. System headers only, relative name: the same in every checkout.
  set(roots llvm/ADT/StringSwitch.h llvm/ADT/TypeSwitch.h llvm/Support/FormatVariadic.h mlir/IR/BuiltinOps.h
            mlir/IR/PatternMatch.h mlir/Pass/Pass.h mlir/Bytecode/BytecodeOpInterface.h
            mlir/Interfaces/SideEffectInterfaces.h mlir/Interfaces/InferTypeOpInterface.h
            mlir/Interfaces/ControlFlowInterfaces.h mlir/Interfaces/LoopLikeInterface.h
            mlir/IR/OpImplementation.h mlir/Dialect/SCF/IR/SCF.h)
  list(TRANSFORM roots PREPEND "-include;")
  get_property(options DIRECTORY PROPERTY COMPILE_OPTIONS)
  string(TOUPPER ${CMAKE_BUILD_TYPE} type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} -std=c++17")
  set(pch_options)
  foreach(option IN LISTS options)
    if(NOT option MATCHES "COMPILE_LANGUAGE")
      list(APPEND pch_options ${option})
    endif()
  endforeach()
  set(pch ${CMAKE_BINARY_DIR}/mlir.pch)
  add_custom_command(OUTPUT ${pch} VERBATIM WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} ${flags} ${pch_options}
            -isystem ${LLVM_INCLUDE_DIRS}
            -Xclang -fno-pch-timestamp -fpch-instantiate-templates ${roots}
            -x c++-header ${LLVM_INCLUDE_DIRS}/mlir/Transforms/GreedyPatternRewriteDriver.h -o ${pch}
    COMMENT "precompiling MLIR's core headers")
  add_custom_target(mlir_pch DEPENDS ${pch})
endif()

function(tessera_configure_target name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;LINK;DEPENDS" ${ARGN})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} llvm_deps)
  if(ARG_MLIR)
    if(TARGET TesseraTileIncGen)
      add_dependencies(${name} TesseraTileIncGen)
    endif()
    if(TESSERA_PCH)
      add_dependencies(${name} mlir_pch)
      target_compile_options(${name} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:SHELL:-include-pch mlir.pch -Xclang -fno-pch-timestamp>)
    endif()
  endif()
  if(TARGET TesseraTables)
    add_dependencies(${name} TesseraTables)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# A program of a sanitized build runs with the right options whoever starts it.
function(tessera_configure_program name)
  if(TESSERA_SANITIZE)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
  endif()
endfunction()

function(tessera_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  tessera_configure_target(${name} ${ARGN})
endfunction()

# The files of the library that have planted errors, once more; the rest comes from the library itself, which stands behind.
# Built only for programs of scripts/mutants.
function(tessera_mutants name)
  get_target_property(sources ${name} SOURCES)
  get_target_property(folder ${name} SOURCE_DIR)
  set(planted)
  foreach(source IN LISTS sources)
    if(IS_ABSOLUTE ${source})
      continue() # what the build generates
    endif()
    file(STRINGS ${folder}/${source} found REGEX "TESSERA_MUTANT\\(" LIMIT_COUNT 1)
    if(found)
      list(APPEND planted ${source})
    endif()
  endforeach()
  if(planted)
    add_library(${name}Mutants STATIC EXCLUDE_FROM_ALL ${planted})
    tessera_configure_target(${name}Mutants MLIR LINK ${name} TesseraMutants)
    target_compile_definitions(${name}Mutants PRIVATE TESSERA_MUTANTS)
  endif()
endfunction()

# tessera_mutant_tests(NAME TESTS target … LINK TesseraXMutants …): a program of scripts/mutants, other programs (tests, or a
# tool) over libraries with planted errors. Not among the tests of the build, as it is meant to fail, once for every error.
function(tessera_mutant_tests name)
  cmake_parse_arguments(ARG "" "" "TESTS;LINK" ${ARGN})
  set(objects)
  set(links)
  foreach(test IN LISTS ARG_TESTS)
    list(APPEND objects $<TARGET_OBJECTS:${test}>)
    get_target_property(own ${test} LINK_LIBRARIES)
    list(APPEND links ${own})
  endforeach()
  list(REMOVE_DUPLICATES links)
  add_executable(${name} EXCLUDE_FROM_ALL ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  # Those with errors come first: the linker takes what it finds first.
  target_link_libraries(${name} PRIVATE ${ARG_LINK} ${links})
  tessera_configure_program(${name})
endfunction()

function(tessera_tool name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;LINK;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  tessera_configure_target(${name} ${ARGN})
  tessera_configure_program(${name})
  set_property(GLOBAL APPEND PROPERTY TESSERA_TOOLS ${name})
endfunction()

function(tessera_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;LINK;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  tessera_configure_target(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main GTest::gmock)
  # TESSERA_SOURCE_DIR is a call (const char *), not a literal: a path among the flags would differ in every checkout
  # and no object of a test would come from the compiler cache.
  target_link_libraries(${name} PRIVATE TesseraTestSupport)
  target_compile_options(${name} PRIVATE "SHELL:-include ${CMAKE_SOURCE_DIR}/test/Unit/SourceDir.h")
  tessera_configure_program(${name})
  set_property(GLOBAL APPEND PROPERTY TESSERA_UNIT_TESTS ${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# Descends into every sub-folder that has a leaf file.
function(tessera_add_rooms)
  file(GLOB rooms RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  list(SORT rooms)
  foreach(room IN LISTS rooms)
    get_filename_component(room ${room} DIRECTORY)
    add_subdirectory(${room})
  endforeach()
endfunction()

# tessera_fuzzer(tessera-fuzz-NAME SRCS x.cpp … [LINK TesseraX …] [MLIR]): a program with LLVMFuzzerTestOneInput. With
# TESSERA_FUZZ it is a libFuzzer target; otherwise a small main replays files, so that the corpus in test/Fuzz/NAME is
# run by every build.
function(tessera_fuzzer name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;LINK;DEPENDS" ${ARGN})
  if(TESSERA_FUZZ)
    add_executable(${name} ${ARG_SRCS})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    add_executable(${name} ${ARG_SRCS} ${CMAKE_SOURCE_DIR}/tools/fuzz/ReplayMain.cpp)
  endif()
  tessera_configure_target(${name} ${ARGN})
  tessera_configure_program(${name})
endfunction()
