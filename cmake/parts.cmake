# Decides which parts are built besides the library.
#
# The option of a part is ON, OFF or AUTO. With ON a package that the part needs and CMake does not
# find is an error. With AUTO, the default, the part is built if kith is the top-level project and
# all packages of the part are found; kith_report_parts() says which parts are left out and why.

set_property(GLOBAL PROPERTY kith_left_out "")

# kith_part(OPTION WHAT [PACKAGE DEBIAN_PACKAGE]...)
# Sets OPTION to ON or OFF in the scope of the caller. WHAT names the part in messages.
function(kith_part option what)
  set(${option} AUTO CACHE STRING "Build ${what}: ON, OFF, or AUTO if what it needs is installed")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  string(TOUPPER "${${option}}" choice)
  if(choice STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL)
    set(choice OFF)
  endif()
  if(NOT choice STREQUAL "AUTO" AND NOT choice)
    set(${option} OFF PARENT_SCOPE)
    return()
  endif()

  set(missing)
  set(to_install)
  while(ARGN)
    list(POP_FRONT ARGN package debian_package)
    find_package(${package} QUIET)
    if(NOT ${package}_FOUND)
      list(APPEND missing ${package})
      list(APPEND to_install ${debian_package})
    endif()
  endwhile()
  if(NOT missing)
    set(${option} ON PARENT_SCOPE)
    return()
  endif()

  list(JOIN missing ", " missing)
  list(JOIN to_install " " to_install)
  if(NOT choice STREQUAL "AUTO")
    message(FATAL_ERROR "${option} is ON, but CMake does not find ${missing}. "
      "On Debian: apt-get install ${to_install}")
  endif()
  set_property(GLOBAL APPEND PROPERTY kith_left_out "kith builds without ${what}: CMake does not \
find ${missing}. On Debian: apt-get install ${to_install}")
  set(${option} OFF PARENT_SCOPE)
endfunction()

# Prints one line for each part that AUTO left out. Called last, so that the lines stay in sight.
function(kith_report_parts)
  get_property(lines GLOBAL PROPERTY kith_left_out)
  foreach(line ${lines})
    message(STATUS "${line}")
  endforeach()
endfunction()
