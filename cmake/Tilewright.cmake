# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Helpers that give every room the same flags. MLIR rooms share one precompiled header.

add_library(tilewright_flags INTERFACE)
target_include_directories(tilewright_flags INTERFACE ${PROJECT_SOURCE_DIR}/include
                                                      ${PROJECT_BINARY_DIR}/include)
target_compile_options(tilewright_flags INTERFACE -Wall -Wextra -Werror -Wno-unused-parameter)
target_link_libraries(tilewright_flags INTERFACE fmt::fmt Threads::Threads)

add_library(tilewright_mlir_flags INTERFACE)
target_link_libraries(tilewright_mlir_flags INTERFACE tilewright_flags LLVM)
# After the system's folders: Debian's libc++abi puts a cxxabi.h beside LLVM's headers, which must not
# hide libstdc++'s.
set(_llvm_includes ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
list(REMOVE_DUPLICATES _llvm_includes)
foreach(dir ${_llvm_includes})
  target_compile_options(tilewright_mlir_flags INTERFACE "SHELL:-idirafter ${dir}")
endforeach()
separate_arguments(_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(tilewright_mlir_flags INTERFACE ${_llvm_definitions})

# tw_add_library(<target> SOURCES ... [LINK ...]): a room without MLIR.
function(tw_add_library target)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${target} STATIC ${ARG_SOURCES})
  target_link_libraries(${target} PUBLIC tilewright_flags ${ARG_LINK})
endfunction()

# tw_add_mlir_library(<target> SOURCES ... [LINK ...]): a room with MLIR; reuses TilewrightIR's PCH.
function(tw_add_mlir_library target)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${target} STATIC ${ARG_SOURCES})
  target_link_libraries(${target} PUBLIC tilewright_mlir_flags ${ARG_LINK})
  mlir_target_link_libraries(${target} PUBLIC MLIRIR)
  add_dependencies(${target} TilewrightIRIncGen TilewrightPassIncGen)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    if(target STREQUAL "TilewrightIR")
      target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/MlirPch.h)
    else()
      target_precompile_headers(${target} REUSE_FROM TilewrightIR)
    endif()
  endif()
endfunction()

# tw_add_unittest(<target> SOURCES ... [LINK ...]): one gtest binary, run by ctest and ./dev test.
function(tw_add_unittest target)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE tilewright_flags ${ARG_LINK} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE TILEWRIGHT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unittests)
  add_test(NAME ${target} COMMAND ${target})
  set_property(GLOBAL APPEND PROPERTY TILEWRIGHT_UNITTESTS ${target})
endfunction()

# tw_add_mlir_unittest: the same, for rooms with MLIR.
function(tw_add_mlir_unittest target)
  tw_add_unittest(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE tilewright_mlir_flags)
  mlir_target_link_libraries(${target} PRIVATE MLIRIR)
endfunction()
