# Every examples/<name>.cpp becomes a program and a test. The test passes if the program exits with
# 0 and, where examples/<name>.expected exists, prints exactly the text of that file.
file(GLOB example_sources CONFIGURE_DEPENDS examples/*.cpp)
foreach(source ${example_sources})
  cmake_path(GET source STEM name)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE kith::kith kith_warnings)
  add_test(NAME example_${name} COMMAND ${CMAKE_COMMAND}
    -D program=$<TARGET_FILE:example_${name}>
    -D expected=${PROJECT_SOURCE_DIR}/examples/${name}.expected
    -P ${PROJECT_SOURCE_DIR}/cmake/run_example.cmake)
endforeach()
