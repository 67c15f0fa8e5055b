"""Asks questions about real data with kith and with sqlite3, and compares answers and times.

usage: scripts/realdata [--data packages|wordnet] [--filter REGEX] [--seconds N] [--limit N]
                        [--build FOLDER] [--no-build] [--keep FOLDER] [--json FILE] [--page]

  --data NAME      only one of the two: Debian's package index (apt-cache dumpavail) or WordNet (the
                   Debian package wordnet-base). What is missing on this machine is skipped
  --filter REGEX   only the questions whose name matches
  --seconds N      ask each question again until N seconds have passed, at most 5 times; default 1
  --limit N        give a question up if all its runs take longer than N seconds; default 30
  --build FOLDER   the build folder; default build/release
  --no-build       run what was built before
  --keep FOLDER    keep facts, answers and plans there; the default is FOLDER of --build/realdata
  --json FILE      also write the figures as JSON
  --page           also write docs/performance_realdata.md

Prints for each question: its rows, the time of the first and of the fastest run of kith, the
fastest of sqlite3, and the ratio of the last two. All times are processor time, from the text of a
query to its last row.
Exits with 1 if an answer differs or a question is given up.
"""
import argparse
import json
import queue
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import bench_run
import realdata_facts

ROOT = Path(__file__).resolve().parent.parent
WORDNET = Path("/usr/share/wordnet")


class Complaint(Exception):
    pass


def tell(text):
    print(f"realdata: {text}", file=sys.stderr, flush=True)


def read_questions(text):
    """[{"name": ..., "kith": ..., "sql": ..., "with": ...}]; the form is described in
    bench/realdata/packages.questions."""
    found, key = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            key = None
        elif line[0] == " " and key:
            found[-1][key] += " " + line.strip()
        else:
            key, _, rest = line.partition(" ")
            if key not in ("name", "kith", "sql", "with") or (key != "name" and not found):
                raise Complaint(f"line {number}: expected name, kith, sql or with")
            if key == "name":
                found.append({})
            if key in found[-1]:
                raise Complaint(f"line {number}: {key} is there twice")
            found[-1][key] = rest.strip()
    for question in found:
        for key in ("kith", "sql"):
            if key not in question:
                raise Complaint(f"{question['name']} has no {key}")
    return found


def sql_of(question, numbers):
    """The whole statement, with the numbers of entities in place of [names]."""
    text = question["sql"]
    if "with" in question:
        text = f"with recursive {question['with']} {text}"
    missing = [n for n in re.findall(r"\[([^]]+)\]", text) if n not in numbers]
    if missing:
        raise Complaint(f"{question['name']}: the data has no {missing[0]}")
    return re.sub(r"\[([^]]+)\]", lambda match: str(numbers[match[1]]), text)


class Database:
    """The facts in tables of sqlite3. The numbers of entities are given, so loading them finds no
    names; that favours sqlite3."""

    def __init__(self, facts):
        tables = {name: [(e,) for e in named] for name, named in facts.tags.items()}
        tables |= {name: list(pairs) for name, pairs in facts.relations.items()}
        for kind, of in facts.kinds.items():
            tables[of] = list(dict.fromkeys([*tables.get(of, ()), *tables.get(kind, ())]))
        names = [*facts.entities(), *tables]
        self.numbers = {name: number for number, name in enumerate(names, 1)}
        rows = {name: [tuple(self.numbers[e] for e in row) for row in rows]
                for name, rows in tables.items()}
        began = time.thread_time()
        self.db = sqlite3.connect(":memory:", cached_statements=0, check_same_thread=False)
        self.db.execute("create table entity(id integer primary key, name text)")
        self.db.executemany("insert into entity values (?, ?)", enumerate(names, 1))
        self.db.execute("create index entity_name on entity(name)")
        for name, values in rows.items():
            if not values:
                continue
            if len(values[0]) == 1:
                self.db.execute(f"create table {name}(s integer primary key)")
                self.db.executemany(f"insert into {name} values (?)", values)
            else:
                self.db.execute(f"create table {name}(s integer, t integer, primary key(s, t)) "
                                "without rowid")
                self.db.executemany(f"insert into {name} values (?, ?)", values)
                self.db.execute(f"create index {name}_back on {name}(t, s)")
        self.db.commit()
        self.load_seconds = time.thread_time() - began
        self.db.execute("analyze")
        [(pages,)], [(size,)] = self.db.execute("pragma page_count"), self.db.execute("pragma page_size")
        self.memory = pages * size
        self.names = [None, *names]

    def measure(self, sql, seconds, limit):
        """(milliseconds of the fastest run, rows), or None if a run takes longer than the limit.
        The sum of all columns is computed inside sqlite3, so that each is read and none is turned
        into an object of Python."""
        none = self.db.execute(f"with answer as ({sql}) select * from answer limit 0")
        columns = [f"c{i}" for i, _ in enumerate(none.description)]
        counting = (f"with answer({', '.join(columns)}) as ({sql}) "
                    f"select count(*), {', '.join(f'sum({c})' for c in columns)} from answer")
        best, spent, runs = None, 0, 0
        while runs < 5 and (runs == 0 or spent < seconds):
            timer = threading.Timer(limit, self.db.interrupt)
            timer.start()
            began = time.thread_time()
            try:
                [found] = self.db.execute(counting)
            except sqlite3.OperationalError as e:
                if str(e) == "interrupted":
                    return None
                raise
            finally:
                timer.cancel()
            took = time.thread_time() - began
            best = took if best is None else min(best, took)
            spent, runs = spent + took, runs + 1
        return best * 1000, found[0]

    def rows(self, sql):
        """The answer as sorted lines of names."""
        names = self.names
        return sorted("\t".join("-" if v is None else names[v] for v in row)
                      for row in self.db.execute(sql))


class Asker:
    """Runs bench_realdata. A question that takes longer than the limit ends the process, and the
    next question starts a new one, which loads the facts again."""

    def __init__(self, program, facts, folder, seconds, limit):
        self.program, self.facts, self.folder = program, facts, folder
        self.seconds, self.limit = seconds, limit
        self.load = None

    def ask(self, questions):
        """Yields (question, figures or None) for each question; None if it was given up."""
        left = list(questions)
        while left:
            answered = 0
            for figures in self.run(left):
                yield left[answered], figures
                answered += 1
                if figures is None:
                    break
            if answered == 0 or (answered < len(left) and figures is not None):
                raise Complaint(f"bench_realdata ended at {left[answered]['name']}")
            left = left[answered:]

    def run(self, questions):
        listed = self.folder / "questions.tsv"
        listed.write_text("".join(f"{q['name']}\t{q['kith']}\n" for q in questions), encoding="utf-8")
        process = subprocess.Popen([self.program, self.facts, listed, self.folder, str(self.seconds)],
                                   stdout=subprocess.PIPE, text=True)
        lines = queue.Queue()
        reader = threading.Thread(target=lambda: [*map(lines.put, process.stdout), lines.put("")])
        reader.start()
        try:
            loaded = json.loads(lines.get() or '{"load": null}')
            if loaded["load"] is None:
                raise Complaint("bench_realdata cannot load the facts")
            self.load = self.load or loaded
            for _ in questions:
                try:
                    line = lines.get(timeout=self.limit)
                except queue.Empty:
                    yield None
                    return
                if not line:
                    return
                yield json.loads(line)
        finally:
            process.kill()
            process.wait()
            reader.join()


def compare(question, database, sql, folder):
    """None, or how the answer of kith differs from that of sqlite3."""
    with open(folder / f"{question['name']}.tsv", encoding="utf-8") as file:
        ours = sorted(line.rstrip("\n") for line in file)
    theirs = database.rows(sql)
    if ours == theirs:
        return None
    ours_only = next(iter(sorted(set(ours) - set(theirs))), None)
    theirs_only = next(iter(sorted(set(theirs) - set(ours))), None)
    return (f"{len(ours)} rows beside {len(theirs)}; only kith has {ours_only!r}, "
            f"only sqlite3 has {theirs_only!r}")


def table(results):
    """Lines of a table for docs/performance.md."""
    lines = ["| question | rows | kith, first | kith | sqlite3 | ratio |",
             "|---|---|---|---|---|---|"]
    for r in results:
        ratio = f"{r['kith'] / r['sqlite']:.2f}" if r["kith"] and r["sqlite"] else "-"
        lines.append(f"| {r['name']} | {r['rows']} | {spell(r['first'])} | {spell(r['kith'])} | "
                     f"{spell(r['sqlite'])} | {ratio} |")
    return lines


def spell(milliseconds):
    if milliseconds is None:
        return "given up"
    digits = 3 if milliseconds < 1 else 2 if milliseconds < 10 else 1 if milliseconds < 100 else 0
    return f"{milliseconds:.{digits}f}"


def make_facts(name):
    """The facts, or None if this machine does not have what they are made of."""
    if name == "packages":
        if not shutil.which("apt-cache"):
            tell("skipped packages: there is no apt-cache")
            return None
        text = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=True,
                              text=True).stdout
        facts = realdata_facts.package_facts(text.splitlines())
        if len(facts.tags.get("Package", ())) < 10_000:
            tell("skipped packages: the package index is empty or small; run apt-get update")
            return None
        return facts
    files = {f: WORDNET / f"data.{f}" for f in realdata_facts.WORDNET_FILES}
    if not all(path.exists() for path in files.values()):
        tell("skipped wordnet: install the Debian package wordnet-base")
        return None
    return realdata_facts.wordnet_facts(
        {f: path.read_text(encoding="latin-1").splitlines() for f, path in files.items()})


def measure(name, questions, program, options):
    """What was found about one of the two data sets, or None if it was skipped."""
    facts = make_facts(name)
    if facts is None:
        return None
    folder = options.keep / name
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / "facts.txt"
    text.write_text(facts.as_text(), encoding="utf-8")
    tell(f"{name}: {facts.count()} facts about {len(facts.entities())} entities")
    database = Database(facts)
    asker = Asker(program, text, folder, options.seconds, options.limit)
    results, wrong = [], []
    for question, figures in asker.ask(questions):
        sql = sql_of(question, database.numbers)
        beside = database.measure(sql, options.seconds, options.limit)
        results.append({"name": question["name"], "rows": (figures or {}).get("rows", "?"),
                        "first": (figures or {}).get("first"), "kith": (figures or {}).get("best"),
                        "sqlite": beside and beside[0]})
        difference = figures and beside and compare(question, database, sql, folder)
        if figures is None:
            wrong.append(f"{name}/{question['name']}: given up after {options.limit} s")
        elif difference:
            wrong.append(f"{name}/{question['name']}: {difference}")
        tell(table(results)[-1] + (f" DIFFERS: {difference}" if difference else ""))
    return {"facts": facts.count(), "results": results, "wrong": wrong, "kith": asker.load,
            "sqlite_load": database.load_seconds * 1000, "sqlite_memory": database.memory}


def report(name, found):
    """What was found about one of the two, as a piece of a page."""
    kith = found["kith"]
    ratios = [r["kith"] / r["sqlite"] for r in found["results"] if r["kith"] and r["sqlite"]]
    return [
        f"## {name}", "",
        f"{found['facts']} facts. kith loads the text in {kith['load']:.0f} ms and then takes "
        f"{kith['memory'] / 1e6:.0f} MB, at most",
        f"{kith['peak'] / 1e6:.0f} MB; sqlite3 inserts and indexes numbers in "
        f"{found['sqlite_load']:.0f} ms and takes {found['sqlite_memory'] / 1e6:.0f} MB. "
        f"{sum(r <= 1 for r in ratios)} of",
        f"{len(found['results'])} questions take no longer than sqlite3.", "",
        *table(found["results"]), "",
        *(f"- {line}" for line in found["wrong"]), *([""] if found["wrong"] else []),
    ]


def page(found):
    lines = ["# Measured on real data", "",
             "Made by `scripts/realdata --page`; do not edit. [performance.md](performance.md) explains "
             "the columns. Times in",
             f"milliseconds of processor time. {bench_run.machine()}.", ""]
    for name, measured in found.items():
        lines += report(name, measured)
    return "\n".join(lines)


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="scripts/realdata", add_help=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--data", choices=["packages", "wordnet"])
    parser.add_argument("--filter", default="")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args(arguments)
    options.keep = options.keep or options.build / "realdata"
    return options


def run(options):
    if not options.no_build:
        for command in (["cmake", "--preset", "release", "-B", options.build],
                        ["cmake", "--build", options.build, "--target", "bench_realdata"]):
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            if done.returncode:
                raise Complaint(f"{command} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    program = options.build / "bench_realdata"
    if not program.exists():
        raise Complaint(f"{program} is missing; run without --no-build")
    found = {}
    for name in [options.data] if options.data else ["packages", "wordnet"]:
        text = (ROOT / f"bench/realdata/{name}.questions").read_text(encoding="utf-8")
        questions = [q for q in read_questions(text) if re.search(options.filter, q["name"])]
        measured = questions and measure(name, questions, program, options)
        if measured:
            found[name] = measured
            print("\n".join(["", *report(name, measured)]))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    if options.page:
        (ROOT / "docs/performance_realdata.md").write_text(page(found), encoding="utf-8")
    return 1 if any(f["wrong"] for f in found.values()) else 0


def main(arguments):
    options = options_of(arguments)
    if options.help:
        print(__doc__.strip())
        return 0
    try:
        return run(options)
    except (Complaint, re.error) as complaint:
        print(f"realdata: {complaint}", file=sys.stderr)
        return 1
