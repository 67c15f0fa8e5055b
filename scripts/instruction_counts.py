"""Counts the instructions of small workloads under callgrind and compares them with a baseline.

usage: scripts/instructions [--update] [--repeat N] [PROGRAM] [WORKLOAD...]

  PROGRAM      the program of bench/guard; the default is build/release/kith_instructions
  WORKLOAD     the workloads to count; the default is all of them
  --update     write the counts to bench/guard/baseline.json; commit that file alone and say why
  --repeat N   count N times, with environments of different sizes, and print how far counts differ

A count more than 5 % above the baseline is a failure; one more than 5 % below is a hint to lower
the baseline. Counts depend on the compiler, so with another compiler than that of the baseline
nothing is compared.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "bench/guard/baseline.json"
PROGRAM = ROOT / "build/release/kith_instructions"
TOLERANCE = 0.05

# glibc copies memory with different instructions on different processors. This turns the variants
# off, so that every processor executes the same number.
PLAIN_COPIES = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-ERMS,-FSRM"


class Complaint(Exception):
    pass


def read_list(text):
    """(compiler, [workload]) from what the program prints when it has no arguments."""
    compiler = re.search(r"^compiler (.+)$", text, re.M)
    workloads = re.findall(r"^workload (.+)$", text, re.M)
    if not compiler or not workloads:
        raise Complaint("the program lists no workloads")
    return compiler[1], workloads


def read_count(text):
    """The number of instructions in the last output of callgrind."""
    found = re.search(r"Collected : (\d+)", text)
    if not found:
        raise Complaint("callgrind counted nothing:\n" + text)
    return int(found[1])


def compare(counts, baseline):
    """(lines, failed): a line for each workload, in the order of `counts`."""
    lines, failed = [], False
    for name, count in counts.items():
        if name not in baseline:
            lines.append(f"FAILED   {name}: {count:,} instructions, and no baseline; "
                         "scripts/instructions --update adds it")
            failed = True
            continue
        change = count / baseline[name] - 1
        said = f"{name}: {count:,} instructions, {change:+.1%} of {baseline[name]:,}"
        if count > baseline[name] * (1 + TOLERANCE):
            lines.append(f"FAILED   {said}")
            failed = True
        elif count < baseline[name] * (1 - TOLERANCE):
            lines.append(f"better   {said}; the baseline can be lowered")
        else:
            lines.append(f"ok       {said}")
    return lines, failed


def gone(counts, baseline):
    """A line for each workload that the baseline has and the program has not."""
    return [f"FAILED   {name}: has a baseline, but there is no such workload"
            for name in baseline if name not in counts]


def count(program, workload, padding=""):
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "GLIBC_TUNABLES": PLAIN_COPIES}
    if padding:
        environment["KITH_PADDING"] = padding
    try:
        ran = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no",
             "--callgrind-out-file=/dev/null", str(program), workload],
            env=environment, capture_output=True, text=True)
    except FileNotFoundError:
        raise Complaint("valgrind is not installed: scripts/packages.sh check")
    if ran.returncode:
        raise Complaint(f"{workload}: failed under callgrind\n{ran.stderr}")
    return read_count(ran.stderr)


def count_all(program, workloads, padding=""):
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return dict(zip(workloads, pool.map(lambda w: count(program, w, padding), workloads)))


def spread(runs):
    """A line for each workload whose counts differ between runs."""
    lines = []
    for name in runs[0]:
        seen = [run[name] for run in runs]
        if min(seen) != max(seen):
            lines.append(f"{name}: {min(seen):,} to {max(seen):,}, "
                         f"{max(seen) / min(seen) - 1:.3%} apart")
    return lines


def load_baseline(path):
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {"compiler": None, "instructions": {}}
    return json.loads(text)


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/instructions", add_help=False,
        usage="scripts/instructions [--update] [--repeat N] [PROGRAM] [WORKLOAD...]")
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("program", nargs="?", type=Path, default=PROGRAM)
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_args(arguments)
    if options.help:
        print(__doc__.strip())
        return 0
    try:
        return run(options)
    except Complaint as complaint:
        print(f"instructions: {complaint}", file=sys.stderr)
        return 1


def run(options):
    if not options.program.exists():
        raise Complaint(f"there is no {options.program}; build it with: cmake --preset release && "
                        "cmake --build --preset release --target kith_instructions")
    listed = subprocess.run([str(options.program)], capture_output=True, text=True, check=True)
    compiler, workloads = read_list(listed.stdout)
    unknown = sorted(set(options.workloads) - set(workloads))
    if unknown:
        raise Complaint(
            f"there is no workload {', '.join(unknown)}; there are {', '.join(workloads)}")
    baseline = load_baseline(BASELINE)
    if not options.update and baseline["compiler"] != compiler:
        print(f"instructions: NOTHING WAS COMPARED: the baseline is of {baseline['compiler']}, "
              f"this program of {compiler}")
        return 0

    wanted = options.workloads or workloads
    runs = [count_all(options.program, wanted, "x" * (1000 * n)) for n in range(options.repeat)]
    counts = runs[0]
    if options.repeat > 1:
        differing = spread(runs)
        print("\n".join(differing) if differing else f"all {len(wanted)} counts are the same "
              f"in {options.repeat} runs")
    if options.update:
        kept = baseline["instructions"] if baseline["compiler"] == compiler else {}
        merged = {w: counts.get(w, kept.get(w)) for w in workloads}
        known = {w: n for w, n in merged.items() if n is not None}
        text = json.dumps({"compiler": compiler, "instructions": known}, indent=2)
        BASELINE.write_text(text + "\n", encoding="utf-8")
        print(f"instructions: wrote {len(counts)} counts to {BASELINE.relative_to(ROOT)}")
        return 0
    lines, failed = compare(counts, baseline["instructions"])
    if not options.workloads:
        missing = gone(counts, baseline["instructions"])
        lines, failed = lines + missing, failed or bool(missing)
    print("\n".join(lines))
    return 1 if failed else 0
