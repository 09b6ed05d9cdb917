# Finds the packaged LLVM/MLIR 22 and gathers it behind one interface target, `llvm_deps`. Nothing else names an
# imported LLVM or MLIR target: mixing archives and dylibs in one process doubles every static registry.

find_program(LLVM_CONFIG_22 NAMES llvm-config-22 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG_22} --prefix OUTPUT_VARIABLE LLVM_PREFIX_22 OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT MLIR_DIR)
  set(MLIR_DIR ${LLVM_PREFIX_22}/lib/cmake/mlir)
endif()
set(LLVM_EXTERNAL_LIT ${LLVM_PREFIX_22}/bin/lit CACHE FILEPATH "lit, full path")

if(TESSERA_LINK STREQUAL "static")
  set(ZLIB_USE_STATIC_LIBS ON)
endif()
find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include ${CMAKE_SOURCE_DIR}/dialects
                    ${CMAKE_BINARY_DIR}/dialects)

add_library(llvm_deps INTERFACE)
if(TESSERA_LINK STREQUAL "static")
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX
       "libMLIR.*Test|libMLIR(CAPI|TableGen|Tblgen|JitRunner|SparseTensorRuntime)|libLLVM(BOLT|Exegesis)")
  target_link_libraries(llvm_deps INTERFACE ${archives} ZLIB::ZLIB zstd::libzstd_static LibXml2::LibXml2 z3 dl m)
  target_link_options(llvm_deps INTERFACE LINKER:--gc-sections LINKER:--as-needed LINKER:-z,pack-relative-relocs)
elseif(TESSERA_LINK STREQUAL "dylib")
  target_link_libraries(llvm_deps INTERFACE MLIR LLVM)
else()
  message(FATAL_ERROR "TESSERA_LINK is '${TESSERA_LINK}'; choose static or dylib")
endif()
