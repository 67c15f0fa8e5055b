# Compiles and runs the ```cpp blocks of the documentation; scripts/extract_snippets.py says how a
# block becomes a test. The blocks are extracted at configure time because they decide which targets
# exist; a changed page makes the next build configure again.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(extract_snippets ${PROJECT_SOURCE_DIR}/scripts/extract_snippets.py)
set(snippets_dir ${PROJECT_BINARY_DIR}/snippets)
file(GLOB pages CONFIGURE_DEPENDS README.md docs/*.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages} ${extract_snippets})

execute_process(
  COMMAND ${Python3_EXECUTABLE} ${extract_snippets}
    --root ${PROJECT_SOURCE_DIR} --out ${snippets_dir} ${pages}
  COMMAND_ERROR_IS_FATAL ANY)

# A snippet may leave a variable unused. This is linked last, so that its options come after those of
# kith_warnings and override them.
add_library(kith_snippet_quiet INTERFACE)
target_compile_options(kith_snippet_quiet INTERFACE -Wno-unused -Wno-unused-parameter -O0)
add_library(kith_snippet_deps INTERFACE)
target_link_libraries(kith_snippet_deps INTERFACE kith::kith kith_warnings kith_snippet_quiet)

file(GLOB snippet_sources ${snippets_dir}/*.cpp)
if(snippet_sources)
  add_executable(kith_snippets ${snippet_sources})
  target_link_libraries(kith_snippets PRIVATE kith_snippet_deps GTest::gtest_main)
  gtest_discover_tests(kith_snippets TEST_PREFIX snippet. DISCOVERY_TIMEOUT 60)
endif()

file(GLOB program_sources ${snippets_dir}/programs/*.cpp)
foreach(source ${program_sources})
  cmake_path(GET source STEM name)
  add_executable(snippet_${name} ${source})
  target_link_libraries(snippet_${name} PRIVATE kith_snippet_deps)
  add_test(NAME snippet.${name} COMMAND snippet_${name})
endforeach()
