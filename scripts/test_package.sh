#!/usr/bin/env bash
# Tests that kith can be built and used in every way that README.md describes; see the usage text.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/test_package.sh BUILD_DIR

Installs kith from BUILD_DIR, a build with the command, and builds and runs tests/package
  - with find_package against the installed kith, after moving it;
  - with add_subdirectory on the sources, by gcc, and by clang without exceptions and RTTI;
  - with pkg-config and a bare call of the compiler.
Then configures and builds kith as on a machine that has none of the packages for tests, benchmarks
and the command.
TEXT
}

case $#:${1:-} in
  1:-h | 1:--help)
    usage
    exit 0
    ;;
  1:[!-]*) ;;
  *)
    usage >&2
    exit 64
    ;;
esac
if [[ ! -e $1/CMakeCache.txt ]]; then
  echo "test_package.sh: $1 is not a build of kith" >&2
  exit 1
fi
build=$(realpath "$1")
root=$(realpath "$(dirname "$0")/..")
consumer=$root/tests/package

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
fi

say() { echo "package: $1"; }

# quietly COMMAND...   prints what the command printed only if it fails
quietly() {
  "$@" >"$work/log" 2>&1 && return
  local status=$?
  cat "$work/log"
  return "$status"
}

# consume NAME CMAKE_ARGUMENTS...
consume() {
  local name=$1
  shift
  quietly cmake -G Ninja -S "$consumer" -B "$work/$name" "$@"
  quietly cmake --build "$work/$name"
  "$work/$name/consumer"
}

# The installed files are moved, so that a path which one of them contains is found.
quietly cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/prefix"

say find_package
consume find_package -DCMAKE_PREFIX_PATH="$work/prefix"

say add_subdirectory
# What is tested is that it builds, so nothing is optimised.
consume add_subdirectory -DKITH_SOURCE_DIR="$root" -DCMAKE_CXX_FLAGS_RELEASE=-O0

# This build compiles each source alone and without a precompiled header.
say "add_subdirectory by clang, without exceptions and run-time type information"
consume bare -DKITH_SOURCE_DIR="$root" -DKITH_WERROR=ON -DCMAKE_UNITY_BUILD=OFF \
  -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS="-fno-exceptions -fno-rtti" \
  -DCMAKE_CXX_FLAGS_RELEASE=-O0

say pkg-config
pc_dir=$(dirname "$(find "$work/prefix" -name kith.pc)")
read -ra flags < <(PKG_CONFIG_PATH=$pc_dir pkg-config --cflags --libs kith)
"${CXX:-c++}" -std=c++20 "$consumer/main.cpp" -o "$work/program" "${flags[@]}"
LD_LIBRARY_PATH=$(dirname "$pc_dir") "$work/program"

# CMAKE_DISABLE_FIND_PACKAGE_* makes CMake behave as if a package were not installed.
say "the library alone, without the packages of tests, benchmarks and command"
absent=()
for package in GTest rapidcheck benchmark CLI11 LibEdit; do
  absent+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
cmake -G Ninja -S "$root" -B "$work/alone" "${absent[@]}" -DCMAKE_CXX_FLAGS_RELEASE=-O0 \
  >"$work/alone.log"
for words in 'without the command kith: .*apt-get install libcli11-dev libedit-dev' \
  'without the tests: .*apt-get install libgtest-dev librapidcheck-dev' \
  'without the benchmarks: .*apt-get install libbenchmark-dev'; do
  if ! grep -q "$words" "$work/alone.log"; then
    cat "$work/alone.log"
    echo "package: configuring does not say '$words'" >&2
    exit 1
  fi
done
quietly cmake --build "$work/alone"
"$work/alone/example_queries" >/dev/null

say "a part that is asked for and lacks a package is an error"
for option in KITH_BUILD_TESTS KITH_BUILD_CLI KITH_BUILD_BENCH; do
  if cmake -S "$root" -B "$work/alone" "-D$option=ON" >"$work/alone.log" 2>&1 ||
    ! grep -q "$option is ON, but CMake does not find" "$work/alone.log"; then
    cat "$work/alone.log"
    echo "package: $option=ON without its packages is not the error it should be" >&2
    exit 1
  fi
  cmake -S "$root" -B "$work/alone" "-D$option=AUTO" >/dev/null
done
