# bench/<topic>.cpp becomes the program bench_<topic>; all programs link bench/support/. If CMake
# finds flecs or EnTT, the programs measure them too.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cpp)
if(bench_sources)
  find_package(benchmark REQUIRED)
  find_package(flecs CONFIG QUIET)
  find_package(EnTT CONFIG QUIET)
  add_library(kith_bench_libraries INTERFACE)
  target_include_directories(kith_bench_libraries INTERFACE bench)
  target_link_libraries(kith_bench_libraries
    INTERFACE kith::kith kith_warnings
    $<$<TARGET_EXISTS:flecs::flecs_static>:flecs::flecs_static>
    $<$<TARGET_EXISTS:EnTT::EnTT>:EnTT::EnTT>)
  target_compile_definitions(kith_bench_libraries INTERFACE
    $<$<TARGET_EXISTS:flecs::flecs_static>:KITH_BENCH_FLECS>
    $<$<TARGET_EXISTS:EnTT::EnTT>:KITH_BENCH_ENTT>)
  add_library(kith_bench_support STATIC bench/support/harness.cpp)
  target_link_libraries(kith_bench_support PUBLIC kith_bench_libraries benchmark::benchmark)
endif()
foreach(source ${bench_sources})
  cmake_path(GET source STEM name)
  add_executable(bench_${name} ${source})
  target_link_libraries(bench_${name} PRIVATE kith_bench_support)
endforeach()

# Programs in folders of their own measure whole workloads and have a `main` of their own.
# scripts/realdata runs bench_realdata.
add_executable(bench_realdata bench/realdata/answers.cpp)
target_link_libraries(bench_realdata PRIVATE kith::kith kith_warnings)

file(GLOB colony_sources CONFIGURE_DEPENDS bench/colony/*.cpp)
add_executable(bench_colony ${colony_sources})
target_link_libraries(bench_colony PRIVATE kith_bench_libraries)
add_test(NAME bench_colony
  COMMAND bench_colony --agents 5000 --ticks 4 --library all)

# ./check guard counts the instructions of this program. It needs the headers of valgrind and is not
# part of a full build.
find_path(VALGRIND_INCLUDE_DIR valgrind/callgrind.h)
if(VALGRIND_INCLUDE_DIR)
  add_executable(kith_instructions EXCLUDE_FROM_ALL bench/guard/instructions.cpp)
  target_include_directories(kith_instructions PRIVATE bench)
  target_include_directories(kith_instructions SYSTEM PRIVATE ${VALGRIND_INCLUDE_DIR})
  target_link_libraries(kith_instructions PRIVATE kith::kith kith_warnings)
endif()

# Compares plans with the best order of their variables; counts work, so it uses private headers.
if(KITH_BUILD_BENCH)
  file(GLOB regret_sources CONFIGURE_DEPENDS bench/regret/*.cpp tests/plans/*.cpp)
  list(FILTER regret_sources EXCLUDE REGEX "_test\\.cpp$")
  add_executable(bench_regret ${regret_sources})
  target_include_directories(bench_regret PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(bench_regret PRIVATE kith::kith kith_warnings tsl::robin_map)
endif()
