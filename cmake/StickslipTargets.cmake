# stickslip_package(<package> [version and options...])
#
# An external library of the core, found here and, since static libraries pass their dependencies on, again by whoever uses the
# installed package.
macro(stickslip_package)
  find_package(${ARGV} REQUIRED)
  string(JOIN " " stickslip_package_call ${ARGV})
  set_property(GLOBAL APPEND PROPERTY STICKSLIP_PACKAGES "find_dependency(${stickslip_package_call})")
endmacro()

# stickslip_compile_cold(<target>)
#
# What runs once a model or less is hardly optimised, and its sources are compiled eight at a time: most of them are short, and
# their headers cost more than they do. It halves the time of these targets, a quarter of a first build.
function(stickslip_compile_cold target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# stickslip_folder(<name> [COLD] [FUZZED] UPWARD <folders...> [LIBRARIES <external...>])
#
# One static library a folder of src/stickslip: every .cc in it, its tests (*_test.cc) as one program. UPWARD names the folders it may include.
# A folder of headers only is an interface library. A FUZZED one is built so that fuzzers see which branches an input takes.
# A COLD one runs once a model or less.
function(stickslip_folder name)
  cmake_parse_arguments(ARG "COLD;FUZZED" "" "UPWARD;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc */*.cc)
  file(GLOB tests CONFIGURE_DEPENDS *_test.cc */*_test.cc)
  file(GLOB headers CONFIGURE_DEPENDS *.h */*.h)
  list(FILTER headers EXCLUDE REGEX "_testing\\.h$")  # helpers of the tests are not for users
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  set(target stickslip_${name})
  set(upward ${ARG_UPWARD})
  list(TRANSFORM upward PREPEND stickslip_)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(visible PUBLIC)
    target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} $<BUILD_INTERFACE:stickslip_private_flags>)
    if(ARG_COLD)
      stickslip_compile_cold(${target})
    endif()
    if(ARG_FUZZED AND STICKSLIP_FUZZERS)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
      stickslip_precompile(${target} stickslip_precompiled_fuzzed)
    else()
      stickslip_precompile(${target} stickslip_precompiled)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(visible INTERFACE)
  endif()
  add_library(stickslip::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_sources(${target} ${visible} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${headers})
  target_link_libraries(${target} ${visible} stickslip_flags ${upward} Eigen3::Eigen)
  set_property(GLOBAL APPEND PROPERTY STICKSLIP_FOLDERS ${target})
  if(STICKSLIP_TESTS AND tests)
    add_executable(${target}_test ${tests})
    target_link_libraries(${target}_test PRIVATE ${target} stickslip_private_flags stickslip_test_flags ${ARG_LIBRARIES})
    stickslip_precompile(${target}_test stickslip_precompiled_tests)
    add_test(NAME ${name} COMMAND ${target}_test WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
endfunction()
