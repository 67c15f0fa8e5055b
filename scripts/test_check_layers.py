#!/usr/bin/env python3
import tempfile
import unittest
from pathlib import Path

import check_layers


def complaints(files):
    """What check() says of a tree given as {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_layers.check(root)


class Layers(unittest.TestCase):
    def allows(self, includer, include, *others):
        self.assertEqual(complaints({includer: f"#include {include}\n"} | dict.fromkeys(others, "")),
                         [])

    def forbids(self, includer, include, reason, *others):
        found = complaints({includer: f"#include {include}\n"} | dict.fromkeys(others, ""))
        self.assertEqual(len(found), 1, found)
        self.assertIn(f"{includer}:1: ", found[0])
        self.assertIn(f"must not include {include[1:-1]} ({reason}", found[0])

    def test_an_empty_tree_is_fine(self):
        self.assertEqual(complaints({}), [])

    def test_a_folder_includes_itself_and_those_before_it(self):
        self.allows("src/storage/table.cpp", '"storage/table.hpp"')
        self.allows("src/storage/table.cpp", '"base/arena.hpp"')
        self.allows("src/storage/table.cpp", "<vector>")

    def test_a_folder_does_not_include_a_later_one(self):
        self.forbids("src/storage/table.cpp", '"query/plan/plan.hpp"', "query comes after storage")
        self.forbids("src/reactive/system.cpp", '"world/world.hpp"', "world comes after reactive")

    def test_angle_brackets_are_no_way_around(self):
        self.forbids("src/base/a.cpp", "<ids/id.hpp>", "ids comes after base", "src/ids/id.hpp")

    def test_the_whole_line_of_a_complaint(self):
        self.assertEqual(
            complaints({"src/ids/id.hpp": '\n  #  include "meta/type.hpp"\n'}),
            ["src/ids/id.hpp:2: src/ids must not include meta/type.hpp (meta comes after ids)"])

    def test_a_comment_is_no_include(self):
        self.assertEqual(complaints({"src/ids/id.hpp": '// #include "meta/type.hpp"\n'}), [])

    def test_paths_are_written_from_src(self):
        self.forbids("src/storage/table.cpp", '"table.hpp"', "write the path from src/")
        self.forbids("src/storage/table.cpp", '"../base/arena.hpp"', "write the path from src/")

    def test_src_knows_detail_and_only_world_the_public_headers(self):
        self.allows("src/base/a.cpp", "<kith/detail/id.hpp>")
        self.allows("src/world/world.cpp", "<kith/world.hpp>")
        self.forbids("src/query/plan/plan.cpp", "<kith/world.hpp>", "only src/world")
        self.forbids("src/query/plan/plan.cpp", '"kith/world.hpp"', "only src/world")

    def test_query_stages_are_ordered(self):
        self.allows("src/query/plan/plan.cpp", '"query/check/check.hpp"')
        self.allows("src/query/plan/plan.cpp", '"query/plan/op.hpp"')
        self.forbids("src/query/plan/plan.cpp", '"query/exec/exec.hpp"',
                     "query/exec comes after query/plan")

    def test_files_of_query_itself_stand_above_its_stages(self):
        self.allows("src/query/query.cpp", '"query/cache/cache.hpp"')
        self.forbids("src/query/model/desc.hpp", '"query/query.hpp"', "a stage knows only stages")

    def test_every_source_file_is_in_a_known_folder(self):
        self.assertIn("unknown folder src/utils", complaints({"src/utils/a.cpp": ""})[0])
        self.assertIn("unknown stage src/query/misc", complaints({"src/query/misc/a.cpp": ""})[0])
        self.assertIn("belongs in a folder", complaints({"src/a.cpp": ""})[0])

    def test_public_headers_know_each_other_and_the_standard_library(self):
        self.allows("include/kith/world.hpp", "<kith/entity.hpp>")
        self.allows("include/kith/world.hpp", '"kith/detail/id.hpp"')
        self.allows("include/kith/world.hpp", "<vector>")
        self.forbids("include/kith/world.hpp", '"storage/table.hpp"', "public headers include only")
        self.forbids("include/kith/world.hpp", "<storage/table.hpp>", "public headers include only",
                     "src/storage/table.hpp")

    def test_detail_knows_only_detail(self):
        self.allows("include/kith/detail/row.hpp", "<kith/detail/id.hpp>")
        self.forbids("include/kith/detail/row.hpp", "<kith/world.hpp>", "detail knows only detail")

    def test_the_hash_map_is_seen_by_base_alone(self):
        self.allows("src/base/hash_map.hpp", "<tsl/robin_map.h>")
        self.forbids("src/storage/store.hpp", "<tsl/robin_map.h>", "the hash map has one alias")
        self.forbids("include/kith/world.hpp", "<tsl/robin_map.h>", "the hash map has one alias")

    def test_programs_use_the_public_headers_alone(self):
        for program in ["examples/tour.cpp", "apps/cli/main.cpp"]:
            self.allows(program, "<kith/kith.hpp>")
            self.allows(program, "<CLI/CLI.hpp>")
            self.forbids(program, "<kith/detail/id.hpp>", "kith/detail is for the library")
            self.forbids(program, '"ids/id.hpp"', "private header", "src/ids/id.hpp")
        self.allows("apps/cli/main.cpp", '"repl.hpp"', "apps/cli/repl.hpp")
        self.forbids("apps/cli/main.cpp", '"../../src/ids/id.hpp"', "outside of apps",
                     "src/ids/id.hpp")


if __name__ == "__main__":
    unittest.main()
