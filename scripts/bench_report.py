"""Evaluates benchmark results: medians, goals, the table of docs/performance_table.md, the curves.

Results are {benchmark: [sample]}; a sample is in nanoseconds, or in bytes for a benchmark of memory.
A benchmark is named `row/who` or `growth_axis_what/who/n`, where `who` is kith, a storage of kith
(`kith_Fragment`), a peer, or code by hand.
"""
import re
import statistics


class Complaint(Exception):
    pass


def read_samples(report):
    """{benchmark: sample} of the JSON that one run of a Google Benchmark program wrote."""
    samples = {}
    for b in report["benchmarks"]:
        name = re.sub(r"/(iterations:\d+|manual_time|real_time)", "", b["name"])
        if b.get("error_occurred"):
            raise Complaint(f"{name}: {b.get('error_message', 'failed')}")
        if "per_op" in b:
            samples[name] = b["per_op"] * 1e9
        elif "figure" in b:
            samples[name] = b["figure"]
        else:
            raise Complaint(f"{name} has neither per_op nor figure")
    return samples


def median(samples):
    return statistics.median(samples)


def spread(samples):
    """How far the samples lie apart, as a part of the median."""
    middle = median(samples)
    return (max(samples) - min(samples)) / middle if middle else 0.0


def time_text(value, unit="ns"):
    """1234.5 -> 1.23 us"""
    if unit == "B":
        sizes = ((1e6, "MB"), (1e4, "kB", 1e3), (0, "B"))
    else:
        sizes = ((1e9, "s"), (1e6, "ms"), (1e4, "us", 1e3), (0, "ns"))
    for size in sizes:
        if value >= size[0]:
            shown = value / (size[2] if len(size) > 2 else size[0] or 1)
            return f"{shown:.3g} {size[1]}" if shown < 1000 else f"{shown:.0f} {size[1]}"


def limit_of(goal, row, medians):
    """(limit, measured) of a goal: `0.5 x flecs`, `1.1 x row11/kith`, `row22/kith + 20` or a number.
    `measured` says that the figure which the goal refers to is of this run; otherwise it is one that
    bench/goals.json records. (None, False) if neither has it."""
    if found := re.fullmatch(r"([\d.]+) x (\S+)", goal):
        times, more, name = float(found[1]), 0.0, found[2]
    elif found := re.fullmatch(r"(\S+) \+ ([\d.]+)", goal):
        times, more, name = 1.0, float(found[2]), found[1]
    else:
        return float(goal), True
    measured = name if "/" in name else f"{row['bench']}/{name}"
    if measured in medians:
        return times * medians[measured] + more, True
    if name in row["peers"]:
        return times * row["peers"][name] + more, False
    return None, False


def judge(rows, medians):
    """[(row, who, median, goal, limit, of this run)] for each goal of `rows` that was measured."""
    out = []
    for row in rows:
        for who, goal in row["goals"].items():
            value = medians.get(f"{row['bench']}/{who}")
            if value is not None:
                out.append((row, who, value, goal, *limit_of(goal, row, medians)))
    return out


def kith_variants(row, medians):
    """The storages of kith that were measured for a row, those with goals first."""
    found = [name.split("/")[1] for name in medians
             if re.fullmatch(rf"{row['bench']}/kith\w*", name)]
    return sorted(found, key=lambda who: (who not in row["goals"], found.index(who)))


def peer_cell(row, who, medians):
    """The figure of this run, or in brackets the one that bench/goals.json records."""
    unit = row.get("unit", "ns")
    if (value := medians.get(f"{row['bench']}/{who}")) is not None:
        return time_text(value, unit)
    return f"({time_text(row['peers'][who], unit)})" if who in row["peers"] else ""


def hand_cell(row, medians):
    return peer_cell(row, "plain" if f"{row['bench']}/plain" in medians else "hand", medians)


def goal_cell(row, who, value, medians):
    if who not in row["goals"]:
        return "", ""
    goal = row["goals"][who]
    limit, same_run = limit_of(goal, row, medians)
    shown = re.sub(r"row(\d+b?)_\w*?/(\w+)", lambda m: f"row {m[1].lstrip('0')} ({m[2]})", goal)
    shown = re.sub(r"^[\d.e]+$", lambda m: time_text(float(m[0]), row.get("unit", "ns")), shown)
    shown = re.sub(r"\+ ([\d.]+)$", lambda m: f"+ {time_text(float(m[1]))}", shown)
    if limit is None:
        return shown, "?"
    said = "yes" if value <= limit else f"no, {value / limit:.2g}x"
    return shown, said if same_run else f"({said})"


def table(rows, results):
    """The table as lines of Markdown."""
    medians = {name: median(samples) for name, samples in results.items()}
    out = [
        "| # | workload | kith | spread | by hand | flecs | EnTT | gaia | goal | reached |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        for who in kith_variants(row, medians):
            value = medians[f"{row['bench']}/{who}"]
            storage = who.removeprefix("kith").lstrip("_")
            what = row["what"] + (f" ({storage})" if storage else "")
            apart = spread(results[f"{row['bench']}/{who}"])
            goal, reached = goal_cell(row, who, value, medians)
            cells = [row["row"], what.replace("|", "\\|"), time_text(value, row.get("unit", "ns")),
                     f"{apart:.0%}", hand_cell(row, medians), peer_cell(row, "flecs", medians),
                     peer_cell(row, "entt", medians), peer_cell(row, "gaia", medians), goal,
                     reached]
            out.append("| " + " | ".join(cells) + " |")
    return out


def misses(rows, results):
    """[(how many times its limit, text)] of the goals that are not reached, the worst first."""
    medians = {name: median(samples) for name, samples in results.items()}
    out = []
    for row, who, value, goal, limit, same_run in judge(rows, medians):
        if limit is not None and value > limit:
            unit = row.get("unit", "ns")
            note = "" if same_run else ", measured elsewhere"
            out.append((value / limit,
                        f"row {row['row']}, {row['what']} ({who}): {time_text(value, unit)}; "
                        f"goal {time_text(limit, unit)} ({goal}{note})"))
    return sorted(out, reverse=True)


def curves(results):
    """{axis: {what: [(n, median)]}} of the growth benchmarks."""
    out = {}
    for name, samples in results.items():
        found = re.fullmatch(r"growth_([a-z]+)_(\w+)/kith/(\d+)", name)
        if found:
            axis = out.setdefault(found[1], {})
            axis.setdefault(found[2].replace("_", " "), []).append((int(found[3]), median(samples)))
    return out


def growth_table(results):
    """The curves as lines of Markdown: a row for each, a column for each size."""
    found = [(f"{axis}: {what}", dict(points)) for axis, all_of in curves(results).items()
             for what, points in all_of.items()]
    sizes = sorted({n for _, points in found for n in points})
    out = ["| curve | " + " | ".join(f"{n:,}" for n in sizes) + " | rises |",
           "|---" * (len(sizes) + 2) + "|"]
    for name, points in found:
        cells = [f"{points[n]:,.0f}" if points.get(n, 0) >= 100 else
                 f"{points[n]:.3g}" if n in points else "" for n in sizes]
        most = max(points)
        rise = ""
        if 1000 in points and most > 1000:
            rise = f"{round(100 * points[most] / points[1000] - 100):+d}%"
        out.append(f"| {name} | " + " | ".join(cells) + f" | {rise} |")
    return out
