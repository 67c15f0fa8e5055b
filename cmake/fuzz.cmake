# Each fuzz/<name>.cpp is a libFuzzer program fuzz_<name>; its seeds are in fuzz/corpus/<name>/.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "KITH_BUILD_FUZZ needs clang: cmake --preset fuzz")
endif()
if(NOT KITH_SANITIZE)
  message(FATAL_ERROR "KITH_BUILD_FUZZ needs KITH_SANITIZE: cmake --preset fuzz")
endif()
# What a fuzzer explores counts which of its branches were taken. For long runs (the preset `fuzz`) it also
# tells what it compared; where tests run too that would take them too long.
if(KITH_BUILD_TESTS)
  target_compile_options(kith PRIVATE -fsanitize-coverage=inline-8bit-counters,pc-table)
else()
  target_compile_options(kith PRIVATE -fsanitize=fuzzer-no-link)
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/*.cpp)
foreach(source ${fuzz_sources})
  cmake_path(GET source STEM name)
  add_executable(fuzz_${name} ${source})
  target_include_directories(fuzz_${name} PRIVATE src)
  target_link_libraries(fuzz_${name} PRIVATE kith::kith kith_warnings)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endforeach()
