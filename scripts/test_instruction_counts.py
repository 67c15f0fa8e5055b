#!/usr/bin/env python3
import unittest

import instruction_counts as ic


class Instructions(unittest.TestCase):
    def test_the_list_of_the_program_is_read(self):
        self.assertEqual(ic.read_list("compiler gcc 12\nworkload a\nworkload b\n"), ("gcc 12", ["a", "b"]))
        with self.assertRaises(ic.Complaint):
            ic.read_list("nothing")

    def test_the_count_is_what_callgrind_says(self):
        self.assertEqual(ic.read_count("==1== Events    : Ir\n==1== Collected : 12345\n"), 12345)
        with self.assertRaises(ic.Complaint):
            ic.read_count("==1== no such thing")

    def test_more_than_five_percent_above_the_baseline_fails_with_the_name(self):
        lines, failed = ic.compare({"join": 1051}, {"join": 1000})
        self.assertTrue(failed)
        self.assertIn("FAILED   join: 1,051 instructions, +5.1% of 1,000", lines)

    def test_within_five_percent_is_fine(self):
        for count in (951, 1000, 1050):
            lines, failed = ic.compare({"join": count}, {"join": 1000})
            self.assertFalse(failed)
            self.assertTrue(lines[0].startswith("ok"), lines)

    def test_much_better_is_said(self):
        lines, failed = ic.compare({"join": 900}, {"join": 1000})
        self.assertFalse(failed)
        self.assertIn("the baseline can be lowered", lines[0])

    def test_a_workload_without_a_baseline_fails(self):
        lines, failed = ic.compare({"new": 10}, {})
        self.assertTrue(failed)
        self.assertIn("--update", lines[0])

    def test_a_baseline_without_a_workload_fails(self):
        self.assertEqual(len(ic.gone({"a": 1}, {"a": 1, "b": 2})), 1)

    def test_counts_that_differ_are_told(self):
        self.assertEqual(ic.spread([{"a": 100, "b": 7}, {"a": 101, "b": 7}]),
                         ["a: 100 to 101, 1.000% apart"])

    def test_the_baseline_names_its_compiler(self):
        baseline = ic.load_baseline(ic.BASELINE)
        self.assertRegex(baseline["compiler"], r"^(gcc|clang) \d+$")


if __name__ == "__main__":
    unittest.main()
