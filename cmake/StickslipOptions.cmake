# Compile flags of the whole library, carried by one interface target.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# ccache takes precompiled headers only if told that they define nothing that matters (they hold foreign headers alone), and
# finds the objects of one build folder for another beside it if paths are relative.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                  "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "${CCACHE_PROGRAM}")
endif()

# What users of the headers must share: the language, and one instruction set, since Eigen's alignment is part of the ABI.
add_library(stickslip_flags INTERFACE)
target_compile_features(stickslip_flags INTERFACE cxx_std_20)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(stickslip_flags INTERFACE -march=x86-64-v3)
endif()

# What only our own sources need.
add_library(stickslip_private_flags INTERFACE)
target_compile_options(
  stickslip_private_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                    -Wunused -Wcast-qual
                                    # designated initialisers leave the rest at their defaults on purpose
                                    -Wno-missing-field-initializers)
# No errno, no traps: both only stop the compiler from vectorising. Sums keep their order: the same bits every time.
target_compile_options(stickslip_private_flags INTERFACE -fno-math-errno -fno-trapping-math -ffp-contract=fast)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees uninitialised and out-of-bounds accesses in Eigen's fixed-size products that are not there.
  # With precompiled headers it also reports overflows inside libstdc++'s own sums of strings.
  target_compile_options(stickslip_private_flags INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
else()
  # clang 19 reports a deprecated function inside libstdc++ 12's own stable_sort; g++ watches over ours.
  target_compile_options(stickslip_private_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(STICKSLIP_WERROR)
  target_compile_options(stickslip_private_flags INTERFACE -Werror)
endif()
if(STICKSLIP_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(STICKSLIP_FUZZERS ON)
endif()
if(STICKSLIP_SANITIZE)
  target_compile_options(stickslip_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                   -fno-omit-frame-pointer)
  target_link_options(stickslip_flags INTERFACE -fsanitize=address,undefined)
endif()

# What only our tests need.
if(STICKSLIP_TESTS)
  add_library(stickslip_test_flags INTERFACE)
  target_link_libraries(stickslip_test_flags INTERFACE GTest::gtest GTest::gmock GTest::gtest_main)
endif()
