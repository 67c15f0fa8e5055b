# bench/<topic>.cpp becomes the program bench_<topic>; all programs link bench/support/. If CMake
# finds flecs or EnTT, the programs measure them too.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cpp)
if(bench_sources)
  find_package(benchmark REQUIRED)
  find_package(flecs CONFIG QUIET)
  find_package(EnTT CONFIG QUIET)
  add_library(kith_bench_support STATIC bench/support/harness.cpp)
  target_include_directories(kith_bench_support PUBLIC bench)
  target_link_libraries(kith_bench_support
    PUBLIC kith::kith kith_warnings benchmark::benchmark
    $<$<TARGET_EXISTS:flecs::flecs_static>:flecs::flecs_static>
    $<$<TARGET_EXISTS:EnTT::EnTT>:EnTT::EnTT>)
  target_compile_definitions(kith_bench_support PUBLIC
    $<$<TARGET_EXISTS:flecs::flecs_static>:KITH_BENCH_FLECS>
    $<$<TARGET_EXISTS:EnTT::EnTT>:KITH_BENCH_ENTT>)
endif()
foreach(source ${bench_sources})
  cmake_path(GET source STEM name)
  add_executable(bench_${name} ${source})
  target_link_libraries(bench_${name} PRIVATE kith_bench_support)
endforeach()

# ./check guard counts the instructions of this program. It needs the headers of valgrind and is not
# part of a full build.
find_path(VALGRIND_INCLUDE_DIR valgrind/callgrind.h)
if(VALGRIND_INCLUDE_DIR)
  add_executable(kith_instructions EXCLUDE_FROM_ALL bench/guard/instructions.cpp)
  target_include_directories(kith_instructions PRIVATE bench)
  target_include_directories(kith_instructions SYSTEM PRIVATE ${VALGRIND_INCLUDE_DIR})
  target_link_libraries(kith_instructions PRIVATE kith::kith kith_warnings)
endif()
