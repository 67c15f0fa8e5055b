# bench/<topic>.cpp becomes bench_<topic>. bench/support/ is shared by all of them. Peers that are installed take part.
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

# What ./check guard counts the instructions of; it needs the headers of valgrind, and is built when asked for.
find_path(VALGRIND_INCLUDE_DIR valgrind/callgrind.h)
if(VALGRIND_INCLUDE_DIR)
  add_executable(kith_instructions EXCLUDE_FROM_ALL bench/guard/instructions.cpp)
  target_include_directories(kith_instructions PRIVATE bench)
  target_include_directories(kith_instructions SYSTEM PRIVATE ${VALGRIND_INCLUDE_DIR})
  target_link_libraries(kith_instructions PRIVATE kith::kith kith_warnings)
endif()
