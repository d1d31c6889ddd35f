# stickslip_folder(<name> UPWARD <folders...> [LIBRARIES <external...>])
#
# One static library a folder of src/stickslip: every .cc in it, its tests (*_test.cc) as one program. UPWARD names the folders it may include.
function(stickslip_folder name)
  cmake_parse_arguments(ARG "" "" "UPWARD;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  file(GLOB tests CONFIGURE_DEPENDS *_test.cc)
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  set(target stickslip_${name})
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                              $<INSTALL_INTERFACE:include>)
  set(upward ${ARG_UPWARD})
  list(TRANSFORM upward PREPEND stickslip_)
  target_link_libraries(${target} PUBLIC stickslip_flags ${upward} Eigen3::Eigen PRIVATE ${ARG_LIBRARIES}
                                         $<BUILD_INTERFACE:stickslip_private_flags>)
  set_property(GLOBAL APPEND PROPERTY STICKSLIP_FOLDERS ${target})
  if(STICKSLIP_TESTS AND tests)
    add_executable(${target}_test ${tests})
    target_link_libraries(${target}_test PRIVATE ${target} stickslip_private_flags GTest::gtest GTest::gmock
                                                 GTest::gtest_main ${ARG_LIBRARIES})
    add_test(NAME ${name} COMMAND ${target}_test WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
endfunction()
