#!/usr/bin/env bash
# Installs the Debian packages that are missing; touches neither apt nor the network if none is.
#
#   scripts/packages.sh run      what ./run needs: build the library, the command and the examples
#   scripts/packages.sh check    what ./check needs: tests, benchmarks, format, a second compiler, fuzzers
#
# Exits with 2, and the line to type, if it may not install.
set -euo pipefail
exec </dev/null

run_packages=(g++ cmake ninja-build libcli11-dev libedit-dev robin-map-dev)
check_packages=(ccache clang clang-format-14 libbenchmark-dev libclang-rt-14-dev libgtest-dev
  librapidcheck-dev pkgconf python3 valgrind)

case ${1:-} in
  run) wanted=("${run_packages[@]}") ;;
  check) wanted=("${run_packages[@]}" "${check_packages[@]}") ;;
  *)
    echo "usage: scripts/packages.sh run|check" >&2
    exit 64
    ;;
esac

if ! command -v apt-get >/dev/null; then
  echo "packages: not a Debian system, hoping that these are here: ${wanted[*]}" >&2
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  # shellcheck disable=SC2016  # dpkg-query expands it
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

if ((EUID == 0)); then
  as_root=(env)
elif sudo -n true 2>/dev/null; then
  as_root=(sudo -n env)
else
  echo "sudo apt-get install -y --no-install-recommends ${missing[*]}"
  exit 2
fi

apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
echo "packages: installing ${missing[*]}"
# The lists may be fresh enough even if this fails; install has the last word.
"${apt[@]}" update || true
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
