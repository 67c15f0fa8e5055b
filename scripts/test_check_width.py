#!/usr/bin/env python3
import tempfile
import unittest
from pathlib import Path

import check_width


def complaints(files):
    """What check() says of a tree given as {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_width.check(root)


class Sources(unittest.TestCase):
    def test_a_line_of_100_columns_is_allowed_and_one_of_101_is_not(self):
        self.assertEqual(complaints({"src/base/a.cpp": "x" * 100 + "\n" + "x" * 101 + "\n"}),
                         ["src/base/a.cpp:2: 101 columns; at most 100"])

    def test_a_comment_counts(self):
        self.assertEqual(len(complaints({"tests/a.hpp": "int x;  // " + "word " * 20 + "\n"})), 1)

    def test_columns_are_characters_and_not_bytes(self):
        self.assertEqual(complaints({"src/base/a.cpp": "ä" * 100 + "\n"}), [])

    def test_other_files_and_folders_are_left_alone(self):
        self.assertEqual(complaints({"src/base/a.txt": "x" * 101, "build/a.cpp": "x" * 101}), [])


class Pages(unittest.TestCase):
    def found(self, text):
        return [number for number, _ in check_width.long_page_lines(text)]

    def test_a_line_of_120_columns_is_allowed_and_one_of_121_is_not(self):
        self.assertEqual(self.found("x" * 120 + "\n" + "x" * 121 + "\n"), [2])

    def test_tables_do_not_count(self):
        self.assertEqual(self.found("| " + "x" * 121 + " |\n  | " + "x" * 121 + " |\n"), [])

    def test_fenced_code_does_not_count_and_ends_with_its_fence(self):
        self.assertEqual(self.found(f"```cpp\n{'x' * 121}\n```\n{'x' * 121}\n"), [4])

    def test_the_address_of_a_link_does_not_count_but_its_text_does(self):
        self.assertEqual(self.found(f"[a](https://{'x' * 121})\n[{'x' * 121}](a)\n"), [2])

    def test_pages_are_those_of_the_root_of_docs_and_of_tests(self):
        files = dict.fromkeys(["README.md", "docs/a.md", "docs/adr/a.md", "tests/seeds/README.md",
                               "build/a.md"], "x" * 121)
        self.assertEqual([line.split(":")[0] for line in complaints(files)],
                         ["README.md", "docs/a.md", "docs/adr/a.md", "tests/seeds/README.md"])


if __name__ == "__main__":
    unittest.main()
