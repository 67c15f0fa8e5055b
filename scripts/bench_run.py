"""Builds the benchmarks, runs each in a process of its own on one core, and writes the pages.

usage: scripts/bench [--quick] [--filter REGEX] [--passes N] [--core N] [--prefix PATH]
                     [--no-build] [--from FILE]
       scripts/bench --instructions [--filter REGEX] [--no-build]

  --quick          run one pass of short runs, for a first look; do not write the pages
  --filter REGEX   run only the benchmarks whose name matches; do not write the pages
  --passes N       run each benchmark N times and show medians; the default is 5. Every second pass
                   runs backwards, so that a slow minute of the machine hits different benchmarks
  --core N         the core to run on; the default is the last one
  --prefix PATH    where peers (flecs, EnTT) are installed; they are measured in the same run
  --no-build       run what was built before
  --from FILE      run nothing; write the pages from the results of an earlier run
  --instructions   count the instructions of the curves (growth_*) under callgrind instead; unlike
                   times, counts do not depend on caches. Writes docs/performance_growth.md unless
                   there is a filter

The results go to build/bench/results.json; docs/performance_table.md and docs/performance_*.svg are
made from them.
"""
import argparse
import json
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import bench_report
import instruction_counts
import svg_plot
from bench_report import Complaint

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/bench"
# The seconds for which Google Benchmark repeats one benchmark.
LONG, SHORT = 0.3, 0.05

AXES = {
    "entities": "entities in one table",
    "targets": "targets of one relation",
    "tables": "tables of 10 entities (pinned to tables)",
    "relations": "relations of 10 entities each",
    "depth": "depth of one chain of parents",
    "pairs": "pairs of one entity",
}
MINIMAL = """#include <kith/kith.hpp>
struct Position { float x, y; };
int main() {
  kith::world world;
  world.entity().set(Position{1, 2});
  world.query<Position>().each([](Position& p) { p.x += 1; });
}
"""


def tell(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def run(command, **more):
    """The output of a command. Raises a Complaint with that output if the command fails."""
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    except FileNotFoundError:
        raise Complaint(f"{command[0]} is not installed: scripts/packages.sh check")
    if done.returncode:
        raise Complaint(f"{' '.join(str(c) for c in command)} failed:\n"
                        f"{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def topics():
    return sorted(p.stem for p in (ROOT / "bench").glob("*.cpp"))


def build(prefix):
    tell("building, this can take minutes")
    run(["cmake", "--preset", "release", "-B", BUILD, "-DKITH_BUILD_TESTS=OFF",
         "-DKITH_BUILD_EXAMPLES=OFF", "-DKITH_BUILD_CLI=OFF",
         f"-DCMAKE_PREFIX_PATH={prefix or ''}"], cwd=ROOT)
    run(["cmake", "--build", BUILD, "--target", *(f"bench_{t}" for t in topics())], cwd=ROOT)


def list_benchmarks(pattern):
    """[(program, benchmark)]"""
    found = []
    for topic in topics():
        program = BUILD / f"bench_{topic}"
        if not program.exists():
            raise Complaint(f"{program} is missing; run without --no-build")
        # A name ends with the way it is timed: `row01_create_empty/kith/manual_time`.
        for line in run([program, "--benchmark_list_tests"]).splitlines():
            if re.search(pattern, line):
                found.append((program, line))
    return found


def run_benchmark(program, name, seconds, core):
    pin = ["taskset", "-c", core] if shutil.which("taskset") else []
    done = subprocess.run([*pin, program, f"--benchmark_filter=^{re.escape(name)}$",
                           f"--benchmark_min_time={seconds}", "--benchmark_format=json"],
                          capture_output=True, text=True)
    try:
        samples = bench_report.read_samples(json.loads(done.stdout))
    except json.JSONDecodeError:
        samples = {}
    if done.returncode or not samples:
        raise Complaint(f"{name} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return samples


def run_all(benchmarks, passes, seconds, core):
    """(results, what went wrong)"""
    results, wrong = {}, {}
    began, done, all_runs = time.monotonic(), 0, passes * len(benchmarks)
    for number in range(passes):
        for program, name in benchmarks if number % 2 == 0 else reversed(benchmarks):
            left = (time.monotonic() - began) / done * (all_runs - done) if done else 0
            progress(f"pass {number + 1} of {passes}, {done} of {all_runs}, "
                     f"about {left / 60:.0f} min left: {name}")
            try:
                for found, sample in run_benchmark(program, name, seconds, core).items():
                    results.setdefault(found, []).append(sample)
            except Complaint as complaint:
                wrong[name] = str(complaint)
            done += 1
    progress("")
    return results, wrong


def progress(text):
    """On a terminal overwrites one line; elsewhere prints every 20th text."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:110]}", end="", file=sys.stderr, flush=True)
    elif text:
        progress.calls = getattr(progress, "calls", 0) + 1
        if progress.calls % 20 == 1:
            tell(text)


def count_instructions(program, name):
    """Instructions for one operation."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--instr-atstart=no",
                           "--callgrind-out-file=/dev/null", program,
                           f"--benchmark_filter=^{re.escape(name)}$", "--benchmark_min_time=0",
                           "--benchmark_format=json"], capture_output=True, text=True,
                          env=os.environ | {"GLIBC_TUNABLES": instruction_counts.PLAIN_COPIES})
    if done.returncode:
        raise Complaint(f"{name} ended with {done.returncode} under callgrind: "
                        f"{done.stderr.strip()[-500:]}")
    [found] = json.loads(done.stdout)["benchmarks"]
    return instruction_counts.read_count(done.stderr) / (found["iterations"] * found["operations"])


def measure_instructions(options):
    benchmarks = [(program, name) for program, name in list_benchmarks(options.filter)
                  if name.startswith("growth_")]
    if not benchmarks:
        raise Complaint(f"no curve matches {options.filter}")
    if not shutil.which("valgrind"):
        raise Complaint("valgrind is not installed: scripts/packages.sh check")

    def one(benchmark):
        progress(f"counting {benchmark[1]}")
        return count_instructions(*benchmark)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        counts = list(pool.map(one, benchmarks))
    progress("")
    results = {name.removesuffix("/manual_time"): [count]
               for (_, name), count in zip(benchmarks, counts)}
    lines = bench_report.growth_table(results)
    print("\n".join(lines))
    if not options.filter:
        page = ["# Instructions while something grows", "",
                "Made by `scripts/bench --instructions`; do not edit. The numbers are instructions "
                "for one entity, pair or",
                "row; `rises` compares the last column with the one for 1,000. "
                "[performance.md](performance.md) explains the curves.", "",
                f"{run(['c++', '--version']).splitlines()[0]}.", "", *lines, ""]
        (ROOT / "docs/performance_growth.md").write_text("\n".join(page), encoding="utf-8")
        tell("wrote docs/performance_growth.md")
    return 0


def compile_times(passes, whole_library):
    """Row 30, in nanoseconds: processor time of a small program, elapsed time of the library."""
    results = {}
    compiler = shutil.which("g++") or shutil.which("c++")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "minimal.cpp"
        source.write_text(MINIMAL, encoding="utf-8")
        for level in ("O0", "O2"):
            for _ in range(passes):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                run([compiler, "-std=c++20", f"-{level}", "-I", ROOT / "include", "-c", source,
                     "-o", "/dev/null"])
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                results.setdefault(f"row30_compile_{level}/kith", []).append(seconds * 1e9)
        if whole_library:
            tell("building the library from nothing")
            run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DCMAKE_CXX_COMPILER_LAUNCHER=",
                 "-DKITH_BUILD_TESTS=OFF", "-DKITH_BUILD_EXAMPLES=OFF", "-DKITH_BUILD_CLI=OFF",
                 "-DKITH_BUILD_BENCH=OFF"])
            began = time.monotonic()
            run(["cmake", "--build", folder, "-j2", "--target", "kith"])
            results["row30_build_library/kith"] = [(time.monotonic() - began) * 1e9]
    return results


def machine():
    """Processor and compiler, for the heading of the table."""
    try:
        model = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())[1]
    except (OSError, TypeError):
        model = platform.machine()
    compiler = run(["c++", "--version"]).splitlines()[0]
    return f"{model.strip()}, {os.cpu_count()} cores, {compiler}"


def write_pages(rows, recorded, folder):
    results = recorded["results"]
    lines = [
        "# Measured",
        "",
        "Made by `scripts/bench`; do not edit. [performance.md](performance.md) explains the "
        "columns.",
        "",
        f"{recorded['machine']}; passes: {recorded['passes']}.",
        *([recorded["note"]] if "note" in recorded else []),
        "",
        *bench_report.table(rows, results),
        "",
    ]
    (folder / "performance_table.md").write_text("\n".join(lines), encoding="utf-8")
    for axis, found in bench_report.curves(results).items():
        chart = svg_plot.line_chart(f"Growing: {AXES.get(axis, axis)}", AXES.get(axis, axis),
                                    "ns for one entity, pair or row", found)
        (folder / f"performance_{axis}.svg").write_text(chart, encoding="utf-8")


def show(rows, results):
    for name, samples in sorted(results.items()):
        unit = "B" if "bytes" in name else "ns"
        print(f"{name:58} {bench_report.time_text(bench_report.median(samples), unit):>10}"
              f"   spread {bench_report.spread(samples):.0%}")
    missed = bench_report.misses(rows, results)
    print(f"\n{len(missed)} goals are not reached")
    for times, text in missed:
        print(f"  {times:5.2f}x  {text}")


def main(arguments):
    parser = argparse.ArgumentParser(prog="scripts/bench", add_help=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--passes", type=int)
    parser.add_argument("--core", default=str((os.cpu_count() or 1) - 1))
    parser.add_argument("--prefix")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--from", dest="recorded", type=Path)
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args(arguments)
    if options.help:
        print(__doc__.strip())
        return 0
    try:
        return measure(options)
    except (Complaint, instruction_counts.Complaint, re.error) as complaint:
        print(f"bench: {complaint}", file=sys.stderr)
        return 1


def measure(options):
    rows = json.loads((ROOT / "bench/goals.json").read_text(encoding="utf-8"))
    if options.recorded:
        if not options.recorded.exists():
            raise Complaint(f"there is no {options.recorded}")
        write_pages(rows, json.loads(options.recorded.read_text(encoding="utf-8")), ROOT / "docs")
        return 0
    passes = options.passes or (1 if options.quick else 5)
    if passes < 1:
        raise Complaint("--passes must be at least 1")
    re.compile(options.filter)
    if not options.no_build:
        build(options.prefix)
    if options.instructions:
        return measure_instructions(options)
    benchmarks = list_benchmarks(options.filter)
    compiling = re.search(options.filter, "row30_compile") is not None
    if not benchmarks and not compiling:
        raise Complaint(f"no benchmark matches {options.filter}")
    results, wrong = run_all(benchmarks, passes, SHORT if options.quick else LONG, options.core)
    if compiling:
        results |= compile_times(passes, whole_library=not options.quick)
    recorded = {"machine": machine(), "passes": passes, "results": results}
    whole = not options.quick and not options.filter and not wrong
    output = BUILD / ("results.json" if whole else "partial_results.json")
    output.write_text(json.dumps(recorded, indent=1), encoding="utf-8")
    show(rows, results)
    if whole:
        write_pages(rows, recorded, ROOT / "docs")
        tell("wrote docs/performance_table.md and docs/performance_*.svg")
    for complaint in wrong.values():
        print(f"bench: {complaint}", file=sys.stderr)
    return 1 if wrong else 0
