# The command `kith`: apps/cli, which includes public headers only.
find_package(CLI11 REQUIRED)
find_package(LibEdit REQUIRED)

# `kith tour` contains the text of this sample world.
set(tour_world ${PROJECT_SOURCE_DIR}/examples/worlds/station.facts)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tour_world})
file(READ ${tour_world} tour_facts)
configure_file(apps/cli/tour_world.hpp.in ${PROJECT_BINARY_DIR}/generated/tour_world.hpp @ONLY)

file(GLOB cli_sources CONFIGURE_DEPENDS apps/cli/*.cpp)
add_executable(kith_cli ${cli_sources})
set_target_properties(kith_cli PROPERTIES OUTPUT_NAME kith UNITY_BUILD ON)
set_source_files_properties(apps/cli/options.cpp apps/cli/text.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_compile_definitions(kith_cli PRIVATE KITH_VERSION="${PROJECT_VERSION}")
target_include_directories(kith_cli PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(kith_cli PRIVATE kith::kith kith_warnings CLI11::CLI11 LibEdit::LibEdit)
# Optimising CLI11 takes long, and the command spends its time in the library.
if(KITH_SANITIZE)
  target_compile_options(kith_cli PRIVATE -O0)
else()
  target_compile_options(kith_cli PRIVATE -O1)
endif()

# Each tests/cli/test_<name>.py runs the command as a user would.
if(KITH_BUILD_TESTS)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  file(GLOB cli_tests CONFIGURE_DEPENDS tests/cli/test_*.py)
  foreach(file ${cli_tests})
    cmake_path(GET file STEM name)
    string(REPLACE "test_" "cli." name ${name})
    add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -B -m unittest -q ${file}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests/cli)
    set_tests_properties(${name} PROPERTIES
      LABELS kith_cli ENVIRONMENT "KITH=$<TARGET_FILE:kith_cli>")
  endforeach()
endif()
