#!/usr/bin/env python3
"""Checks the include direction: a folder includes only itself and the folders before it.

Inside src/ and include/ every include of a file of kith is written from the root of its tree:
"storage/table.hpp", <kith/world.hpp>.
"""

import argparse
import re
import sys
from pathlib import Path

LAYERS = ["base", "ids", "storage", "entity", "relations", "meta", "query", "reactive", "persist",
          "world"]
QUERY_STAGES = ["model", "parse", "check", "plan", "exec", "cache"]
USER_FOLDERS = ["apps", "examples"]

SUFFIXES = {".hpp", ".cpp", ".h", ".inl"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<quoted>[^"]+)"|<(?P<angle>[^>]+)>)')


def check(root):
    """The complaints about the tree at `root`, as lines of text."""
    found = []
    for top in ["src", "include", *USER_FOLDERS]:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES:
                found += check_file(root, path)
    return found


def check_file(root, path):
    place = path.relative_to(root)
    found = []
    if place.parts[0] == "src" and (reason := misplaced(place)):
        found.append(f"{place}:1: {reason}")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not (match := INCLUDE.match(line)):
            continue
        quoted = match["quoted"] is not None
        target = match["quoted"] or match["angle"]
        if reason := complaint(root, place, target, quoted):
            found.append(
                f"{place}:{number}: {folder_of(place)} must not include {target} ({reason})")
    return found


def misplaced(place):
    """Why a source file may not be where it is, or None."""
    if len(place.parts) < 3:
        return "a source file belongs in a folder of src"
    if place.parts[1] not in LAYERS:
        return f"unknown folder src/{place.parts[1]}; add it to LAYERS in scripts/check_layers.py"
    if place.parts[1] == "query" and len(place.parts) > 3 and place.parts[2] not in QUERY_STAGES:
        return f"unknown stage src/query/{place.parts[2]}"
    return None


def complaint(root, place, target, quoted):
    """Why the file at `place` may not include `target`, or None if it may."""
    top = place.parts[0]
    is_public = target.startswith("kith/")
    is_detail = target.startswith("kith/detail/")
    is_private = not is_public and (root / "src" / target).is_file()

    if top in USER_FOLDERS:
        if is_detail:
            return "kith/detail is for the library itself"
        # A quoted include may name a file beside the includer.
        if quoted and (root / place.parent / target).is_file():
            inside = (root / place.parent / target).resolve().is_relative_to((root / top).resolve())
            return None if inside else f"outside of {top}"
        return "private header" if is_private else None

    if target.startswith("tsl/") and place.parts[:2] != ("src", "base"):
        return "the hash map has one alias, in base/hash_map.hpp"

    if top == "include":
        if is_public:
            in_detail = place.parts[:3] == ("include", "kith", "detail")
            return "detail knows only detail" if in_detail and not is_detail else None
        return "public headers include only kith/ and the standard library" \
            if quoted or is_private else None

    layer = place.parts[1]
    if is_public:
        return None if is_detail or layer == "world" else "only src/world knows the public headers"
    if not quoted and not is_private:
        return None
    return wrong_direction(place.parts[1:-1], Path(target).parts[:-1])


def wrong_direction(own, other):
    """Why a file in folder `own` of src may not include one in folder `other`, or None."""
    if not other or other[0] not in LAYERS:
        return "write the path from src/"
    if not own or own[0] not in LAYERS:
        return None  # misplaced() reports this file
    if LAYERS.index(other[0]) > LAYERS.index(own[0]):
        return f"{other[0]} comes after {own[0]}"
    if own[0] == other[0] == "query" and len(own) > 1 and own[1] in QUERY_STAGES:
        if len(other) < 2:
            return "a stage knows only stages"
        if other[1] in QUERY_STAGES and \
                QUERY_STAGES.index(other[1]) > QUERY_STAGES.index(own[1]):
            return f"query/{other[1]} comes after query/{own[1]}"
    return None


def folder_of(place):
    """How a complaint names the includer: src/storage, src/query/plan, include/kith, apps/cli."""
    depth = 3 if place.parts[:2] in [("src", "query"), ("include", "kith")] else 2
    return "/".join(place.parts[:-1][:depth])


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/check_layers.py", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Prints one line per wrong include and exits with 1; prints nothing if there is "
               "none.")
    parser.parse_args(arguments)
    complaints = check(Path(__file__).parent.parent)
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
