# Foreign headers, parsed once: most sources are short, and Eigen, fmt and the standard library were two thirds of their time.
#
# Only foreign headers, and only those that most sources reach anyway: an edit of ours rebuilds what includes it and no more. A
# source that forgets to include one of them compiles all the same; tools/check_includes.py sees it.
set(stickslip_foreign
    <algorithm>
    <array>
    <cmath>
    <cstdint>
    <filesystem>
    <functional>
    <limits>
    <map>
    <memory>
    <optional>
    <span>
    <string>
    <string_view>
    <unordered_map>
    <utility>
    <variant>
    <vector>
    <Eigen/Cholesky>
    <Eigen/Geometry>
    <fmt/format.h>)

# stickslip_precompile_alone(<target> [headers...]): precompiled for one target alone, together with more foreign headers.
function(stickslip_precompile_alone target)
  if(NOT STICKSLIP_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${stickslip_foreign} ${ARGN})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # What ccache gives back must not be refused for the age of the headers in it.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# stickslip_precompile(<target> <owner>): shared with others. The target's flags must be the owner's; compilers refuse others.
function(stickslip_precompile target owner)
  if(NOT STICKSLIP_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:fmt::fmt>) # for its definitions
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC) # after CMake's own -fPIE; libraries have it
  endif()
endfunction()

# stickslip_add_owner(<name> LIBRARIES <libraries...> HEADERS <headers...>): a target to share from, with its one empty source.
function(stickslip_add_owner name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;HEADERS" ${ARGN})
  set(empty ${PROJECT_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(${name} OBJECT ${empty})
  target_link_libraries(${name} PRIVATE stickslip_flags stickslip_private_flags Eigen3::Eigen fmt::fmt ${ARG_LIBRARIES})
  stickslip_precompile_alone(${name} ${ARG_HEADERS})
endfunction()

if(STICKSLIP_PRECOMPILE)
  stickslip_add_owner(stickslip_precompiled)
  if(STICKSLIP_FUZZERS) # clang refuses headers that were precompiled without that option
    stickslip_add_owner(stickslip_precompiled_fuzzed)
    target_compile_options(stickslip_precompiled_fuzzed PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(STICKSLIP_TESTS)
    stickslip_add_owner(stickslip_precompiled_tests LIBRARIES stickslip_test_flags HEADERS <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endif()
