#!/usr/bin/env python3
import tempfile
import unittest
from pathlib import Path

import extract_snippets


def sources(page):
    return extract_snippets.sources_of(page, "/k/docs/a.md", "docs/a.md")


def test_source(page):
    return sources(page)["docs_a.cpp"]


class Snippets(unittest.TestCase):
    def test_a_page_without_cpp_blocks_gives_no_file(self):
        self.assertEqual(sources("text\n```text\nx\n```\n```\ny\n```\n"), {})

    def test_a_block_becomes_a_test_named_by_file_and_line(self):
        source = test_source("# title\n```cpp\nint x = 1;\n```\n")
        self.assertIn('#line 2 "/k/docs/a.md"\nTEST(docs_a, line_2) {\nint x = 1;\n}', source)

    def test_no_test_is_ignored(self):
        self.assertEqual(sources("```cpp no-test\nx\n```\n"), {})

    def test_what_stands_before_the_dots_is_at_namespace_scope(self):
        source = test_source("```cpp\nstruct A {};\n// ...\nA a;\n```\n")
        self.assertIn('namespace docs_a_line_1 {\n#line 2 "/k/docs/a.md"\nstruct A {};\n'
                      '#line 2 "/k/docs/a.md"\nTEST(docs_a, line_1) {\n// ...\nA a;\n}', source)

    def test_what_is_shared_is_no_test_and_comes_before_those_that_use_it(self):
        source = test_source("```cpp shared\nint f();\n```\n```cpp\nf();\n```\n")
        self.assertIn('namespace {\n#line 2 "/k/docs/a.md"\nint f();\n}  // namespace', source)
        self.assertNotIn("line_1)", source)
        self.assertLess(source.index("int f();"), source.index("TEST("))

    def test_includes_move_to_the_top_and_lines_keep_their_numbers(self):
        source = test_source("```cpp\n#include <map>\nint x;\n```\n")
        self.assertIn('#line 2 "/k/docs/a.md"\n#include <map>\n', source)
        self.assertLess(source.index("<map>"), source.index("TEST("))
        self.assertIn("TEST(docs_a, line_1) {\n\nint x;\n", source)

    def test_a_block_with_main_is_a_program(self):
        self.assertEqual(sources("```cpp\nint main() {}\n```\n"),
                         {"programs/docs_a_line_1.cpp": '#line 2 "/k/docs/a.md"\nint main() {}\n'})

    def test_an_indented_block_loses_its_indentation(self):
        self.assertIn("\nint x;\n  int y;\n", test_source("- a\n  ```cpp\n  int x;\n    int y;\n  ```\n"))

    def test_a_fence_inside_a_longer_fence_is_text(self):
        self.assertEqual(sources("````md\n```cpp\nx\n```\n````\n"), {})

    def test_an_unclosed_block_is_an_error(self):
        with self.assertRaisesRegex(extract_snippets.PageError, "docs/a.md:2: .*never closed"):
            sources("\n```cpp\nx\n")

    def test_an_unknown_word_is_an_error(self):
        with self.assertRaisesRegex(extract_snippets.PageError, "docs/a.md:1: unknown word"):
            sources("```cpp notest\n```\n")

    def test_files_of_blocks_that_are_gone_are_deleted(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            extract_snippets.write(out, {"a.cpp": "1", "programs/b.cpp": "2"})
            extract_snippets.write(out, {"a.cpp": "1"})
            self.assertEqual([path.name for path in out.rglob("*.cpp")], ["a.cpp"])


if __name__ == "__main__":
    unittest.main()
