# tests/support/          helpers, linked to all but the next two
# tests/model/            kith_model, property tests (RapidCheck)
# tests/oracle/           kith_oracle: what queries mean, evaluated a second time; runs tests/cases/
# tests/seeds/            kith_seeds
# tests/memory/           kith_memory, with an operator new of its own that can fail
# tests/threads/          kith_threads, also run with the thread sanitizer
# tests/shared_library/   kith_shared_library, with libraries of its own
# tests/cli/              the command, tested from outside: see cli.cmake
# tests/package/          not built here, see scripts/test_package.sh
# tests/no_compile/       programs that must not compile: each names the error in its first line
# all the rest            kith_tests
include(GoogleTest)
find_package(GTest REQUIRED)

file(GLOB_RECURSE support_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS tests/support/*.cpp)
file(GLOB_RECURSE model_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS tests/model/*.cpp)
file(GLOB_RECURSE oracle_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS tests/oracle/*.cpp)
file(GLOB_RECURSE seeds_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS tests/seeds/*.cpp)
file(GLOB_RECURSE threads_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS tests/threads/*.cpp)
file(GLOB_RECURSE memory_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS tests/memory/*.cpp)
file(GLOB_RECURSE tests_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS tests/*.cpp)
list(FILTER tests_sources EXCLUDE REGEX
  "^tests/(support|model|oracle|seeds|threads|memory|shared_library|package|no_compile)/")

# Tests may include the private headers ("storage/table.hpp") and their own ("support/rows.hpp").
add_library(kith_test_deps INTERFACE)
target_include_directories(kith_test_deps INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(kith_test_deps INTERFACE
  KITH_TEST_DIR="${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(kith_test_deps INTERFACE kith::kith tsl::robin_map kith_warnings GTest::gtest)
# With a precompiled header gcc 12 gives more wrong warnings of the kind that cmake/warnings.cmake
# describes.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(kith_test_deps INTERFACE -Wno-stringop-overflow -Wno-array-bounds)
endif()

# Compiling most tests takes longer than running them, so they are not optimised, and the files of a
# folder are compiled together: they instantiate mostly the same templates. Files that define the
# same name (`alone`) are compiled alone, and so is every file in a Debug build, for debuggers.
add_library(kith_test_quick INTERFACE)
set(together OFF)
if(KITH_SANITIZE OR NOT CMAKE_BUILD_TYPE MATCHES "Deb")
  target_compile_options(kith_test_quick INTERFACE -O0 -g0)
  set(together ON)
  set(alone "^tests/(query/api|storage)/|^tests/oracle/.*_test|/(other_twin|names_test)\\.cpp$")
  foreach(source ${support_sources} ${model_sources} ${oracle_sources} ${tests_sources})
    if(NOT source MATCHES "${alone}")
      cmake_path(GET source PARENT_PATH folder)
      string(REPLACE "/" "_" group ${folder})
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  # These tests measure time or compute much themselves, so they are optimised.
  set_source_files_properties(
    tests/entity/commands_test.cpp tests/query/api/limits_test.cpp tests/storage/placement_test.cpp
    tests/memory/failing_memory.cpp tests/memory/stage.cpp
    tests/storage_never_shows/depth_test.cpp tests/storage_never_shows/fixture.cpp
    tests/storage_never_shows/same_history_test.cpp tests/world/costs_test.cpp
    tests/world/hierarchy_test.cpp tests/world/scale_test.cpp
    PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
endif()

# The headers that every test includes. All targets with the same options share one precompiled
# header.
set(test_headers <gtest/gtest.h> <kith/kith.hpp> <string> <vector>)
add_library(kith_test_support OBJECT ${support_sources})
target_link_libraries(kith_test_support PRIVATE kith_test_deps kith_test_quick)
target_precompile_headers(kith_test_support PRIVATE ${test_headers})
set_target_properties(kith_test_support PROPERTIES UNITY_BUILD ${together} UNITY_BUILD_MODE GROUP)

# kith_add_tests(NAME SOURCE...)
# Adds the test program NAME; does nothing without sources. Its tests have the label NAME.
function(kith_add_tests name)
  if(NOT ARGN)
    return()
  endif()
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${together} UNITY_BUILD_MODE GROUP)
  target_link_libraries(${name} PRIVATE kith_test_deps GTest::gtest_main)
  if(name STREQUAL "kith_oracle")
    target_precompile_headers(${name} PRIVATE ${test_headers})
  elseif(name STREQUAL "kith_model")
    target_precompile_headers(${name} REUSE_FROM kith_oracle)
  else()
    target_link_libraries(${name} PRIVATE kith_test_quick kith_test_support)
    target_precompile_headers(${name} REUSE_FROM kith_test_support)
    # The linker takes the first copy of an inline function that it meets. This makes it meet the
    # optimised copies of the library first.
    target_link_options(${name} PRIVATE
      LINKER:--whole-archive $<TARGET_FILE:kith> LINKER:--no-whole-archive)
  endif()
  # Starting a process for each of thousands of small tests takes minutes, so those of kith_tests
  # share a few processes.
  if(name STREQUAL "kith_memory")
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES LABELS ${name} TIMEOUT 900)
  elseif(name STREQUAL "kith_tests")
    set(shards 8)
    foreach(shard RANGE 1 ${shards})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name}.${shard} COMMAND ${name} --gtest_brief=1)
      set_tests_properties(${name}.${shard} PROPERTIES LABELS ${name} TIMEOUT 900
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
    endforeach()
  else()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${name})
  endif()
endfunction()

kith_add_tests(kith_tests ${tests_sources})
kith_add_tests(kith_seeds ${seeds_sources})
kith_add_tests(kith_threads ${threads_sources})
kith_add_tests(kith_memory ${memory_sources})
kith_add_tests(kith_oracle ${oracle_sources})
kith_add_tests(kith_model ${model_sources})
if(TARGET kith_model)
  find_package(rapidcheck REQUIRED)
  target_link_libraries(kith_model PRIVATE rapidcheck_gtest)
endif()
add_subdirectory(tests/shared_library)

file(GLOB no_compile_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/no_compile/*.cpp)
foreach(source ${no_compile_sources})
  cmake_path(GET source STEM name)
  add_test(NAME no_compile.${name} COMMAND ${CMAKE_COMMAND} -DSOURCE=${source}
    -DCOMPILER=${CMAKE_CXX_COMPILER} -DINCLUDE=${PROJECT_SOURCE_DIR}/include
    -P ${PROJECT_SOURCE_DIR}/cmake/no_compile.cmake)
  set_tests_properties(no_compile.${name} PROPERTIES LABELS no_compile)
endforeach()
