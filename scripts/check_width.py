#!/usr/bin/env python3
"""Finds lines that are too long.

Sources (*.hpp, *.cpp) have at most 100 columns, comments included: clang-format breaks code but
leaves comments as they are. Pages (*.md) have at most 120; tables, fenced code and the addresses
of links do not count.
"""

import argparse
import re
import sys
from pathlib import Path

SOURCE_COLUMNS = 100
SOURCE_FOLDERS = ["include", "src", "tests", "examples", "bench", "fuzz", "apps"]
PAGE_COLUMNS = 120
PAGES = ["*.md", "docs/**/*.md", "tests/**/*.md"]

FENCE = re.compile(r"\s*(```|~~~)")
LINK_TARGET = re.compile(r"\]\([^)\s]*\)|<https?://[^>]*>")


def long_source_lines(text):
    """(number, columns) of each line of a source that is too long."""
    return [(number, len(line)) for number, line in enumerate(text.splitlines(), 1)
            if len(line) > SOURCE_COLUMNS]


def long_page_lines(text):
    """(number, columns) of each line of a page that is too long."""
    found, in_code = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            in_code = not in_code
        elif not in_code and not line.lstrip().startswith("|"):
            columns = len(LINK_TARGET.sub("]", line))
            if columns > PAGE_COLUMNS:
                found.append((number, columns))
    return found


def check(root):
    """The complaints about the tree at `root`, as lines of text."""
    files = [(path, long_source_lines) for folder in SOURCE_FOLDERS
             for path in sorted((root / folder).rglob("*")) if path.suffix in {".hpp", ".cpp"}]
    files += [(path, long_page_lines) for pattern in PAGES for path in sorted(root.glob(pattern))]
    found = []
    for path, long_lines in files:
        limit = SOURCE_COLUMNS if long_lines is long_source_lines else PAGE_COLUMNS
        found += [f"{path.relative_to(root)}:{number}: {columns} columns; at most {limit}"
                  for number, columns in long_lines(path.read_text(encoding="utf-8"))]
    return found


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/check_width.py", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Prints one line per long line and exits with 1; prints nothing if there is none.")
    parser.parse_args(arguments)
    complaints = check(Path(__file__).parent.parent)
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
