"""help, explain, facts, graph and tour."""

import re
import resource
import unittest

from support import ROOT, STATION, CommandTest


class Help(CommandTest):
    def test_version_is_that_of_the_project(self):
        version = re.search(r"project\(kith VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(self.answer("--version"), f"kith {version}\n")

    def test_help_lists_the_commands(self):
        self.assert_golden("help.txt", self.answer("help"))
        for spelling in ["--help", "-h"]:
            self.assertEqual(self.answer(spelling), self.answer("help"))

    def test_help_of_a_command_tells_its_options(self):
        for command in ["query", "explain", "facts", "graph", "shell", "tour"]:
            text = self.answer("help", command)
            self.assertTrue(f"Usage: kith {command}" in text, text)
            self.assertEqual(self.answer(command, "--help"), text)
        self.assert_golden("help_query.txt", self.answer("help", "query"))


class Explain(CommandTest):
    def test_shows_query_plan_and_cost(self):
        text = self.answer("explain", "-w", STATION, "Ship,(DockedTo,$at)")
        self.assertRegex(text, r"\Aquery\n  Ship, \(DockedTo, \$at\)\n\nplan\n(  .+\n)+"
                               r"  result  // 3 rows\n\n3 results in [\d.]+ ms\n\Z")

    def test_answers_a_question(self):
        self.assertRegex(self.answer("explain", "-w", STATION, "Likes(Holden, Fred)"),
                         r"\ntrue in [\d.]+ ms\n\Z")
        self.assertRegex(self.answer("explain", "-w", STATION, "Likes(Fred, Holden)"),
                         r"\nfalse in [\d.]+ ms\n\Z")

    def test_a_parameter_without_a_value_leaves_the_plan(self):
        text = self.answer("explain", "-w", STATION, "(DockedTo, @at)")
        self.assertIn("plan\n  bind $this ", text)
        self.assertTrue(text.endswith(
            "not run: the parameter @at has no value; give it one with -a at=ENTITY\n"), text)

    def test_a_value_changes_the_plan(self):
        free = self.answer("explain", "-w", STATION, "DockedTo($ship, $at)")
        self.assertIn("bind $at", free)
        given = self.answer("explain", "-w", STATION, "-a", "at=Tycho", "DockedTo($ship, $at)")
        self.assertNotIn("bind $at", given)
        self.assertIn("\n2 results in ", given)

    def test_storage_tells_where_ids_are_kept(self):
        text = self.answer("explain", "-w", STATION, "--storage",
                           "Ship, (DockedTo, $at), !{(ChildOf, _)}")
        self.assertRegex(text, r"\nstorage\n  Ship  // no entity has it\n"
                               r"  \(DockedTo, \*\)  // tables; \d+ rows of \d+ pairs\n"
                               r"  \(ChildOf, \*\)  // pools, pinned; \d+ rows of \d+ pairs\n\n")

    def test_live_prints_the_plan_before_and_after(self):
        text = self.answer("explain", "-w", STATION, "--live", "Ship, (DockedTo, $at)")
        self.assertRegex(text, r"\nplan\n(  .+\n)+  result  // 0 rows\n\n"
                               r"plan, after it ran\n(  .+\n)+  result  // 3 rows\n\n3 results in ")

    def test_cached_and_uncached_have_as_many_results(self):
        for option in ["--cached", "--uncached"]:
            self.assertIn("\n4 results in ", self.answer("explain", "-w", STATION, option, "Ship"))


class Facts(CommandTest):
    def test_are_read_back_to_an_equal_world(self):
        text = self.answer("facts", "-w", STATION)
        self.assertIn("Position(Tycho) {30, 40}\n", text)
        self.assertEqual(self.answer("facts", "-w", "-", told=text), text)

    def test_of_several_files_are_one_world(self):
        one, two = self.file("one", "Likes(bob, alice)"), self.file("two", "Likes(alice, bob)")
        self.assertEqual(self.answer("facts", "-w", one, "-w", two),
                         "Likes(bob, alice)\nLikes(alice, bob)\n")

    def test_of_an_empty_world_are_none(self):
        self.assertEqual(self.answer("facts"), "")
        self.assertEqual(self.answer("facts", "-w", "-", told="// nothing\n"), "")


class Graph(CommandTest):
    def test_has_entities_and_relations(self):
        self.assert_golden("graph.dot", self.answer("graph", "-w", STATION), any_order=True)

    def test_of_results_has_those_alone(self):
        self.assert_golden("graph_of_results.dot",
                           self.answer("graph", "-w", STATION, "(DockedTo, $at), (Captain, $who)"),
                           any_order=True)

    def test_with_a_value(self):
        text = self.answer("graph", "-w", STATION, "-a", "at=Ceres", "(DockedTo, @at)")
        self.assertIn('"Weeping" -> "Ceres" [label="DockedTo"]', text)
        self.assertNotIn("Tycho", text)

    def test_symmetric_pairs_are_one_line(self):
        text = self.answer("graph", "-w", "-", told="Symmetric(Knows), Knows(a, b)")
        self.assertEqual(text.count("Knows"), 1)
        self.assertIn("dir=none", text)

    def test_names_are_quoted(self):
        text = self.answer("graph", "-w", "-", told='Knows("a \\"b\\"", c)')
        self.assertIn(r'[label="\"a \\\"b\\\"\""]', text)

    def test_no_two_entities_are_one_node(self):
        text = self.answer("graph", "-w", "-", told=r'Knows("a\tb", "a\\tb")')
        source, target = re.search(r'^  (".*") -> (".*") \[', text, re.M).groups()
        self.assertNotEqual(source, target)

    def test_many_relations_to_one_entity_take_no_longer_than_to_many(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        text = self.answer("graph", "-w", "-", told="".join(f"In(e{i}, hub)\n" for i in range(20_000)))
        self.assertEqual(text.count(" -> "), 20_000)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 3)

    def test_of_an_empty_world_is_empty(self):
        self.assertEqual(self.answer("graph"), "digraph kith {\n  node [shape=box, style=rounded]\n}\n")

    def test_words_are_no_nodes_but_lonely_entities_are(self):
        text = self.answer("graph", "-w", "-", told="struct P {f32 x}\nP(a)\nlonely\nTag(a)")
        self.assertIn('  "a" [label="a\\nP, Tag"]\n', text)
        self.assertIn('  "lonely" [label="lonely"]\n', text)
        self.assertNotIn('"Tag" [', text)
        self.assertNotIn('"P" [', text)


class Tour(CommandTest):
    def test_runs_and_explains_itself(self):
        text = self.answer("tour")
        before_the_plan, plan = text.split("15. The plan\n")
        self.assert_golden("tour.txt", before_the_plan, any_order=True)
        self.assertIn("\nplan\n  bind ", plan)
        self.assertIn("result  // 1 rows\n", plan)
        self.assertIn("What to try next:\n", plan)

    def test_names_files_that_are_there(self):
        for file in re.findall(r"(?:examples|docs)/[\w/]+\.\w+", self.answer("tour")):
            self.assertTrue((ROOT / file).exists(), file)

    def test_its_world_is_the_file_it_names(self):
        self.assertIn("    DockedTo(Rocinante, Tycho), DockedTo(Tachi, Tycho)", self.answer("tour"))


if __name__ == "__main__":
    unittest.main()
