#!/usr/bin/env python3
"""Writes docs/features.md: every feature of docs/features.txt with the tests that show it.

A comment above a test begins with the ids of the features that the test shows; a case has them at
the beginning of its title:

    // Q29 Q30: anything may follow
    TEST_F(seed_001_iteration, each_calls_back_per_entity) {

    # Q107 R58: wildcards show what is there

In a file without tests, such as an example, such a comment is about the whole file.
"""
import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "R": "Relationships",
    "Q": "Queries",
    "P": "Queries with arguments",
    "M": "Mentioned only",
    "U": "Limits that were lifted",
    "C": "Choices",
}
# The number of tests that a row of the table names.
SHOWN = 3

# E marks errata of the manuals; they have no rows.
IDS = re.compile(r"((?:[RQPMUCE]\d+)(?:[ ,]+[RQPMUCE]\d+)*)(?=[\s:.;]|$)")
TEST = re.compile(r"\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(")
NAME = re.compile(r"\(\s*(\w+)\s*,\s*(\w+)")


class Complaint(Exception):
    pass


def read_features(text):
    """{id: (title, why there is no test or "")} in the order of the file."""
    features = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = re.fullmatch(r"([RQPMUC]\d+) (.+)", line)
        if not found:
            raise Complaint(f"docs/features.txt:{number}: not `ID title`: {line}")
        if found[1] in features:
            raise Complaint(f"docs/features.txt:{number}: {found[1]} is there twice")
        title, _, reason = found[2].partition(" -- ")
        features[found[1]] = (title.strip(), reason.strip())
    return features


def ids_of(comment):
    found = IDS.match(comment.strip())
    return re.findall(r"[RQPMUC]\d+", found[1]) if found else []


def tags_of_code(text):
    """[(id, name of the test or "")]"""
    tags, pending = [], []
    lines = text.splitlines()
    for at, line in enumerate(lines):
        comment = re.match(r"\s*//\s*(.*)", line)
        if comment:
            pending += ids_of(comment[1])
            continue
        name = ""
        if TEST.match(line):
            name = NAME.search(" ".join(lines[at : at + 3]))[2]
        tags += [(i, name) for i in pending]
        pending = []
    return tags + [(i, "") for i in pending]


def tags_of_cases(text):
    """[(id, title of the case)]"""
    tags = []
    for line in text.splitlines():
        if line.startswith("#"):
            comment = line[1:].strip()
            ids = ids_of(comment)
            title = comment[IDS.match(comment).end() :].lstrip(" :") if ids else comment
            tags += [(i, title) for i in ids]
    return tags


def tags_of_tree(root):
    """{id: [(path, name)]}, sorted by path."""
    tags = {}
    files = sorted((root / "tests").rglob("*")) + sorted((root / "examples").rglob("*"))
    for path in files:
        if path.suffix == ".cpp":
            found = tags_of_code(path.read_text(encoding="utf-8"))
        elif path.suffix == ".case":
            found = tags_of_cases(path.read_text(encoding="utf-8"))
        else:
            continue
        for feature, name in found:
            places = tags.setdefault(feature, [])
            place = (path.relative_to(root).as_posix(), name)
            if place not in places:
                places.append(place)
    return tags


def cell(places):
    """The tests of a row, with one link for each file."""
    by_file = {}
    for path, name in places[:SHOWN]:
        by_file.setdefault(path, []).append(name)
    parts = []
    for path, names in by_file.items():
        link = f"[{path.split('/')[-1].rsplit('.', 1)[0]}](../{path})"
        shown = ", ".join(n.replace("_", " ") for n in names if n)
        parts.append(f"{link}: {shown}" if shown else link)
    more = len(places) - SHOWN
    return "; ".join(parts) + (f"; {more} more" if more > 0 else "")


def table(features, tags):
    unknown = sorted(set(tags) - set(features))
    if unknown:
        where = "; ".join(f"{i} in {tags[i][0][0]}" for i in unknown)
        raise Complaint(f"not in docs/features.txt: {where}")
    escaped = lambda text: text.replace("|", "\\|")
    missing = [i for i, (_, reason) in features.items() if i not in tags and not reason]
    out = [
        "# Features and the tests that show them",
        "",
        "Made by `scripts/features_table.py` from `docs/features.txt`; do not edit.",
        "",
        f"{len(features)} features, {len(missing)} of them without a test yet.",
    ]
    for letter, heading in PARTS.items():
        rows = [i for i in features if i[0] == letter]
        if not rows:
            continue
        out += ["", f"## {heading}", "", "| id | what | shown by |", "|---|---|---|"]
        for i in rows:
            title, reason = features[i]
            shown = cell(tags[i]) if i in tags else f"({reason})" if reason else "missing"
            out.append(f"| {i} | {escaped(title)} | {escaped(shown)} |")
    out += ["", "## Missing", ""]
    out += [f"- {i} {features[i][0]}" for i in missing] or ["None."]
    return "\n".join(out) + "\n"


def generate(root):
    features = read_features((root / "docs/features.txt").read_text(encoding="utf-8"))
    return table(features, tags_of_tree(root))


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/features_table.py", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true",
                        help="write nothing; exit with 1 if docs/features.md is out of date")
    options = parser.parse_args(arguments)
    page = ROOT / "docs/features.md"
    try:
        text = generate(ROOT)
    except Complaint as complaint:
        print(complaint, file=sys.stderr)
        return 1
    if options.check:
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            print("docs/features.md is out of date: run scripts/features_table.py", file=sys.stderr)
            return 1
    else:
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
