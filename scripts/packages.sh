#!/usr/bin/env bash
# Installs the Debian packages that ./run and ./check need; see the usage text.
set -euo pipefail
exec </dev/null

run_packages=(g++ cmake ninja-build libcli11-dev libedit-dev libtbb-dev robin-map-dev)
check_packages=(ccache clang clang-format-14 libbenchmark-dev libclang-rt-14-dev libgtest-dev
  librapidcheck-dev pkgconf python3 valgrind)

usage() {
  cat <<'END'
usage: scripts/packages.sh run|check

Installs the Debian packages that are missing. If none is, it uses neither apt nor the network.

  run      what ./run needs to build the library, the command and the examples
  check    what ./check needs besides: tests, benchmarks, clang, clang-format, valgrind

Exits with 2 and prints the command to type if it lacks the right to install.
END
}

if (($# > 1)); then
  usage >&2
  exit 64
fi
case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
  run) wanted=("${run_packages[@]}") ;;
  check) wanted=("${run_packages[@]}" "${check_packages[@]}") ;;
  *)
    usage >&2
    exit 64
    ;;
esac

if ! command -v apt-get >/dev/null; then
  echo "packages: this is not a Debian system; kith needs the equivalents of ${wanted[*]}" >&2
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
# A failed update is no error: the package lists may be recent enough for the installation.
"${apt[@]}" update || true
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
