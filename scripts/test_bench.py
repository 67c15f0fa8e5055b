#!/usr/bin/env python3
import io
import json
import unittest
import xml.dom.minidom
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import bench_report
import bench_run
import svg_plot

ROW = {"row": "9", "what": "target", "bench": "row09_target", "peers": {"flecs": 32, "gaia": 58},
       "goals": {"kith": "0.5 x flecs", "kith_Fragment": "10"}}


def sample(name, **more):
    return {"benchmarks": [{"name": name} | more]}


class Samples(unittest.TestCase):
    def test_seconds_per_operation_become_nanoseconds(self):
        self.assertEqual(bench_report.read_samples(sample("row1/kith/manual_time", per_op=2e-9)), {"row1/kith": 2.0})

    def test_figures_stay_as_they_are(self):
        self.assertEqual(bench_report.read_samples(sample("row26/kith/iterations:1", figure=60)), {"row26/kith": 60})

    def test_a_wrong_result_is_refused(self):
        with self.assertRaisesRegex(bench_report.Complaint, "row1/kith: the result is wrong"):
            bench_report.read_samples(sample("row1/kith", error_occurred=True, error_message="the result is wrong"))

    def test_numbers_at_the_end_stay(self):
        self.assertEqual(bench_report.read_samples(sample("growth_a_b/kith/100/manual_time", per_op=1e-9)),
                         {"growth_a_b/kith/100": 1.0})

    def test_the_median_hides_one_slow_pass(self):
        self.assertEqual(bench_report.median([1, 2, 90]), 2)
        self.assertEqual(bench_report.spread([9, 10, 12]), 0.3)


class Goals(unittest.TestCase):
    def test_a_peer_of_the_same_run_decides(self):
        self.assertEqual(bench_report.limit_of("0.5 x flecs", ROW, {"row09_target/flecs": 40}), (20, True))

    def test_else_what_was_measured_elsewhere(self):
        self.assertEqual(bench_report.limit_of("0.5 x flecs", ROW, {}), (16, False))

    def test_other_rows_and_plain_numbers(self):
        medians = {"row11_iterate/kith": 2.0}
        self.assertEqual(bench_report.limit_of("1.5 x row11_iterate/kith", ROW, medians), (3, True))
        self.assertEqual(bench_report.limit_of("row11_iterate/kith + 20", ROW, medians), (22, True))
        self.assertEqual(bench_report.limit_of("10", ROW, {}), (10, True))
        self.assertEqual(bench_report.limit_of("2 x hand", ROW, {}), (None, False))

    def test_misses_come_with_the_worst_first(self):
        found = bench_report.misses([ROW], {"row09_target/kith": [17], "row09_target/kith_Fragment": [50]})
        self.assertEqual([round(times, 2) for times, _ in found], [5.0, 1.06])

    def test_the_goals_refer_to_what_is_measured(self):
        """Every benchmark that bench/goals.json names is in a program; the names are put together there, so
        each is looked for without what varies."""
        root = Path(__file__).resolve().parent.parent
        sources = "".join(p.read_text(encoding="utf-8") for p in (root / "bench").glob("*.cpp"))
        for row in json.loads((root / "bench/goals.json").read_text(encoding="utf-8")):
            if row["row"] != "30":
                stem = "_".join(row["bench"].split("_")[:2])
                self.assertIn(stem, sources)
            for goal in row["goals"].values():
                self.assertIsInstance(bench_report.limit_of(goal, row, {}), tuple)


class Table(unittest.TestCase):
    def test_a_row_for_each_way_to_store(self):
        lines = bench_report.table([ROW], {"row09_target/kith": [10, 12, 11], "row09_target/kith_Fragment": [20],
                                           "row09_target/hand": [5]})
        self.assertEqual(lines[2], "| 9 | target | 11 ns | 18% | 5 ns | (32 ns) |  | (58 ns) | 0.5 x flecs | (yes) |")
        self.assertEqual(lines[3],
                         "| 9 | target (Fragment) | 20 ns | 0% | 5 ns | (32 ns) |  | (58 ns) | 10 ns | no, 2x |")

    def test_times_are_readable(self):
        texts = [bench_report.time_text(t) for t in (0.66, 12.3, 1234, 56789, 2.5e6, 3e9)]
        self.assertEqual(texts, ["0.66 ns", "12.3 ns", "1234 ns", "56.8 us", "2.5 ms", "3 s"])
        self.assertEqual(bench_report.time_text(2.5e6, "B"), "2.5 MB")


class Plots(unittest.TestCase):
    def test_curves_are_grouped_by_what_grows(self):
        found = bench_report.curves({"growth_depth_delete/kith/100": [3], "growth_depth_delete/kith/1000": [5, 4, 6],
                                     "growth_pairs_remove_add/kith/100": [7], "row1/kith": [1]})
        self.assertEqual(found, {"depth": {"delete": [(100, 3), (1000, 5)]}, "pairs": {"remove add": [(100, 7)]}})

    def test_axes_begin_and_end_at_powers_of_ten(self):
        self.assertEqual(svg_plot.decades(3, 4500), [1, 10, 100, 1000, 10000])
        self.assertEqual(svg_plot.decades(100, 1000), [100, 1000])
        self.assertEqual(svg_plot.decades(10, 10), [10, 100])

    def test_names_beside_curves_do_not_overlap(self):
        self.assertEqual(svg_plot.spread_apart([50, 10, 12], 18), [50, 10, 28])

    def test_a_chart_is_xml_with_every_name(self):
        text = svg_plot.line_chart("a < b", "x", "y", {"one & two": [(100, 1.5), (1000, 2)], "three": [(100, 7)]})
        document = xml.dom.minidom.parseString(text)
        shown = [t.firstChild.data for t in document.getElementsByTagName("text")]
        for name in ("a < b", "one & two", "three", "100", "1k", "10"):
            self.assertIn(name, shown)
        self.assertEqual(len(document.getElementsByTagName("circle")), 3)

    def test_nothing_to_plot_is_refused(self):
        with self.assertRaises(ValueError):
            svg_plot.line_chart("t", "x", "y", {})


class Command(unittest.TestCase):
    def test_help_and_mistakes(self):
        self.assertEqual(bench_run.main(["--from", "no/such/file"]), 1)
        self.assertEqual(bench_run.main(["--passes", "-1", "--no-build"]), 1)
        self.assertEqual(bench_run.main(["--filter", "(", "--no-build"]), 1)


class Growth(unittest.TestCase):
    def test_a_row_for_each_curve_and_how_far_it_rises(self):
        counts = {"growth_pairs_has/kith/100": [90], "growth_pairs_has/kith/1000": [100],
                  "growth_pairs_has/kith/10000": [1250], "growth_depth_create/kith/100": [2.5]}
        self.assertEqual(bench_report.growth_table(counts),
                         ["| curve | 100 | 1,000 | 10,000 | rises |", "|---|---|---|---|---|",
                          "| pairs: has | 90 | 100 | 1,250 | +1150% |", "| depth: create | 2.5 |  |  |  |"])

    def test_curves_that_are_not_there_are_an_error(self):
        with mock.patch.object(bench_run, "list_benchmarks", return_value=[("program", "row01/kith")]), \
                redirect_stderr(io.StringIO()) as said:
            self.assertEqual(bench_run.main(["--instructions", "--no-build"]), 1)
        self.assertIn("no curve matches", said.getvalue())


if __name__ == "__main__":
    unittest.main()
