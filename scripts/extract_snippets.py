#!/usr/bin/env python3
"""Turns the ```cpp blocks of Markdown pages into C++ that is compiled and run as tests.

For docs/queries.md it writes DIR/docs_queries.cpp, with one GoogleTest test per block,
docs_queries.line_42 for the block whose fence is on line 42. What a block becomes:

    ```cpp                      the body of a test
    ```cpp with a line `// ...` what stands before that line goes to namespace scope, in a
                                namespace of the block's own; the rest is the body of the test
    ```cpp with `int main(`     a program of its own, DIR/programs/docs_queries_line_42.cpp,
                                compiled as it stands
    ```cpp shared               declarations that all later tests of the page can use
    ```cpp no-test              nothing

In a test, `check(x)` fails the test at that line of the page unless x is true. #include lines
move to the top of the file. The script does not write a file whose content is the same, so that it
is not compiled again, and deletes files of blocks that are gone.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^(?P<indent>\s*)(?P<ticks>`{3,})\s*(?P<info>[^`]*)$")
INCLUDE = re.compile(r"^\s*#\s*include\b")
SPLIT = "// ..."

PRELUDE = """\
#include <gtest/gtest.h>

#include <iostream>
#include <kith/kith.hpp>
#include <string>
#include <vector>
"""

CHECK = """
namespace {

template <class T>
[[maybe_unused]] void check(T&& claim, const char* file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
  if (!static_cast<bool>(claim)) ADD_FAILURE_AT(file, line) << "not true";
}

}  // namespace
"""


class PageError(Exception):
    pass


@dataclass
class Block:
    line: int  # of the opening fence, counted from 1
    code: list  # lines of text; the first is on line + 1 of the page
    shared: bool = False  # declarations, not a test


def blocks_of(text, name):
    """The ```cpp blocks of a page that are to be tested. `name` is for complaints."""
    blocks = []
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        number += 1
        if not (fence := FENCE.match(lines[number - 1])):
            continue
        opened = number
        code = []
        closing = re.compile(rf"^\s*{fence['ticks']}`*\s*$")
        while True:
            number += 1
            if number > len(lines):
                raise PageError(f"{name}:{opened}: the code block is never closed")
            if closing.match(lines[number - 1]):
                break
            code.append(lines[number - 1].removeprefix(fence["indent"]))
        language, *words = fence["info"].split() or [""]
        if language != "cpp":
            continue
        if words not in ([], ["no-test"], ["shared"]):
            raise PageError(f"{name}:{opened}: unknown word after cpp: {' '.join(words)}")
        if words != ["no-test"]:
            blocks.append(Block(opened, code, shared=words == ["shared"]))
    return blocks


def is_program(block):
    return not block.shared and any("int main(" in line for line in block.code)


def line_directive(line, page):
    return f'#line {line} "{page}"'


def program_source(block, page):
    return "\n".join([line_directive(block.line + 1, page), *block.code, ""])


def tests_source(blocks, page, suite):
    includes, tests = [], []
    for block in blocks:
        code = list(block.code)
        for at, line in enumerate(code):
            if INCLUDE.match(line):
                includes += [line_directive(block.line + 1 + at, page), line]
                code[at] = ""
        if block.shared:
            tests += ["", "namespace {", line_directive(block.line + 1, page), *code,
                      "}  // namespace"]
            continue
        split = next((at for at, line in enumerate(code) if line.strip() == SPLIT), None)
        outer, body, body_line = [], code, block.line + 1
        if split is not None:
            outer = [line_directive(block.line + 1, page), *code[:split]]
            body, body_line = code[split:], block.line + 1 + split
        tests += [
            "",
            f"namespace {suite}_line_{block.line} {{",
            *outer,
            line_directive(body_line - 1, page),
            f"TEST({suite}, line_{block.line}) {{",
            *body,
            "}",
            "}  // namespace",
        ]
    return "\n".join([PRELUDE, *includes, CHECK, *tests, ""])


def sources_of(text, page, name):
    """The generated files of one page, as {path below the output folder: text}."""
    suite = re.sub(r"\W", "_", name.removesuffix(".md"))
    blocks = blocks_of(text, name)
    files = {}
    for block in filter(is_program, blocks):
        files[f"programs/{suite}_line_{block.line}.cpp"] = program_source(block, page)
    if tests := [block for block in blocks if not is_program(block)]:
        files[f"{suite}.cpp"] = tests_source(tests, page, suite)
    return files


def write(out, files):
    for path in [*out.glob("*.cpp"), *out.glob("programs/*.cpp")]:
        if str(path.relative_to(out)) not in files:
            path.unlink()
    for name, text in files.items():
        path = out / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/extract_snippets.py", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help="the root of the sources")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    parser.add_argument("pages", type=Path, nargs="*", metavar="PAGE")
    args = parser.parse_args()
    files = {}
    try:
        for page in args.pages:
            name = page.relative_to(args.root).as_posix()
            files |= sources_of(page.read_text(encoding="utf-8"), page, name)
    except PageError as error:
        sys.exit(str(error))
    write(args.out, files)


if __name__ == "__main__":
    main()
