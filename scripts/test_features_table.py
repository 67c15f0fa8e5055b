#!/usr/bin/env python3
import tempfile
import unittest
from pathlib import Path

import features_table


def page(features, files):
    """docs/features.md of a tree given as {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in (files | {"docs/features.txt": features}).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return features_table.generate(root)


class Features(unittest.TestCase):
    def test_a_comment_above_a_test_names_what_it_shows(self):
        text = page("Q1 one\nQ2 two\n", {
            "tests/a/b_test.cpp": "// Q1 Q2: both\nTEST_F(suite, it_works) {\n"})
        self.assertIn("| Q1 | one | [b_test](../tests/a/b_test.cpp): it works |", text)
        self.assertIn("| Q2 | two | [b_test](../tests/a/b_test.cpp): it works |", text)

    def test_several_lines_of_comments_count(self):
        text = page("Q1 one\nQ2 two\n", {
            "tests/b.cpp": "// Q1\n// prose with Q3 in it\n// Q2\nTEST(suite,\n     it_works) {\n"})
        self.assertIn("| Q2 | two | [b](../tests/b.cpp): it works |", text)
        self.assertNotIn("Q3", text)

    def test_prose_is_no_tag(self):
        self.assertIn("- Q1 one", page("Q1 one\n", {
            "tests/b.cpp": "// about Q1\nTEST(s, t) {\n// Q1x\nTEST(s, u) {\n"}))

    def test_a_case_has_ids_before_its_title(self):
        text = page("Q1 one\n", {"tests/cases/x.case": "# Q1: a | b\nworld  P(a)\n# no ids\n"})
        self.assertIn("| Q1 | one | [x](../tests/cases/x.case): a \\| b |", text)

    def test_a_comment_elsewhere_is_about_the_file(self):
        text = page("M1 one\n", {"examples/x.cpp": "// M1\n#include <x>\nint main() {}\n"})
        self.assertIn("| M1 | one | [x](../examples/x.cpp) |", text)

    def test_only_some_of_many_tests_are_named(self):
        tests = "".join(f"// Q1\nTEST(s, t{n}) {{\n" for n in range(5))
        self.assertIn("t0, t1, t2; 2 more |", page("Q1 one\n", {"tests/b.cpp": tests}))

    def test_what_has_no_test_is_missing_unless_there_is_a_reason(self):
        text = page("Q1 one\nQ2 two -- not here\n", {})
        self.assertIn("| Q1 | one | missing |", text)
        self.assertIn("| Q2 | two | (not here) |", text)
        self.assertIn("2 features, 1 of them without a test yet.", text)
        self.assertTrue(text.endswith("## Missing\n\n- Q1 one\n"), text)

    def test_errata_have_no_rows(self):
        text = page("Q1 one\n", {"tests/b.cpp": "// E12 Q1\nTEST(s, t) {\n"})
        self.assertIn("| Q1 | one | [b](../tests/b.cpp): t |", text)
        self.assertNotIn("E12", text)

    def test_an_unknown_id_is_refused(self):
        with self.assertRaisesRegex(features_table.Complaint, "Q9 in tests/b.cpp"):
            page("Q1 one\n", {"tests/b.cpp": "// Q9\nTEST(s, t) {\n"})

    def test_the_list_is_checked(self):
        for features in ("Q1 one\nQ1 again\n", "Q1\n", "X1 one\n"):
            with self.assertRaises(features_table.Complaint):
                page(features, {})

    def test_the_page_is_up_to_date(self):
        self.assertEqual(features_table.main(["--check"]), 0)


if __name__ == "__main__":
    unittest.main()
