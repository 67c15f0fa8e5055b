#!/usr/bin/env bash
# Builds tests/package the three ways a user would: against an installed kith with find_package,
# from the source tree with add_subdirectory (also without exceptions), and with pkg-config and a bare
# compiler call.
#
#   scripts/test_package.sh BUILD_DIR      a build of kith to install from
set -euo pipefail

if (($# != 1)); then
  echo "usage: scripts/test_package.sh BUILD_DIR" >&2
  exit 64
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

# consume NAME CMAKE_ARGUMENTS...
consume() {
  local name=$1
  shift
  cmake -G Ninja -S "$consumer" -B "$work/$name" "$@" >/dev/null
  cmake --build "$work/$name" >/dev/null
  "$work/$name/consumer"
}

# Moved after the install: nothing in it may know where it was.
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"

say find_package
consume find_package -DCMAKE_PREFIX_PATH="$work/prefix"

say add_subdirectory
consume add_subdirectory -DKITH_SOURCE_DIR="$root"

# Here each source is compiled alone, without a precompiled header.
say "add_subdirectory by clang, without exceptions and run-time type information"
consume bare -DKITH_SOURCE_DIR="$root" -DKITH_WERROR=ON -DCMAKE_UNITY_BUILD=OFF \
  -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS="-fno-exceptions -fno-rtti"

say pkg-config
pc_dir=$(dirname "$(find "$work/prefix" -name kith.pc)")
read -ra flags < <(PKG_CONFIG_PATH=$pc_dir pkg-config --cflags --libs kith)
"${CXX:-c++}" -std=c++20 "$consumer/main.cpp" -o "$work/program" "${flags[@]}"
LD_LIBRARY_PATH=$(dirname "$pc_dir") "$work/program"
