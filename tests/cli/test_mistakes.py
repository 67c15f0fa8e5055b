"""What the command says of wrong input. Never a crash, always status 2 and where it is wrong."""

import unittest

from support import STATION, CommandTest


class Expressions(CommandTest):
    def test_an_unknown_name_is_shown_with_what_it_could_be(self):
        self.assertEqual(self.mistake("query", "-w", STATION, "Ship,\n(DockedTo, Tyco)"),
                         "kith: 2:12: unknown name 'Tyco'\n"
                         "  (DockedTo, Tyco)\n"
                         "             ^^^^ did you mean 'Tycho'?\n")

    def test_an_unfinished_one(self):
        self.assertEqual(self.mistake("query", "-w", STATION, "Ship, (DockedTo, "),
                         "kith: 1:18: expected a name, found the end of the text\n"
                         "  Ship, (DockedTo, \n"
                         "                   ^\n")

    def test_an_empty_one(self):
        self.assertIn("kith: 1:1: expected a term", self.mistake("query", ""))

    def test_one_that_is_not_utf8(self):
        self.assertIn("kith: 1:1: the text is not valid UTF-8",
                      self.mistake("query", b"\xff\xfe".decode("utf-8", "surrogateescape")))

    def test_explain_and_graph_say_the_same(self):
        for command in ["explain", "graph"]:
            self.assertEqual(self.mistake(command, "-w", STATION, "Shp"),
                             "kith: 1:1: unknown name 'Shp'\n  Shp\n  ^^^ did you mean 'Ship'?\n")

    def test_an_empty_world_knows_no_names(self):
        self.assertIn("kith: 1:1: unknown name 'Position'", self.mistake("query", "Position"))


class Limits(CommandTest):
    FACTS = "".join(f"A(e{i})\n" for i in range(300))

    def test_of_entities(self):
        self.assertEqual(self.mistake("query", "-w", "-", "--max-entities", 10, "A", told=self.FACTS),
                         "kith: <stdin>:10:1: the facts create more than 10 entities, "
                         "the limit that --max-entities sets\n  A(e9)\n  ^^^^^\n")
        self.answer("query", "-w", "-", "--max-entities", 301, "A", told=self.FACTS)

    def test_of_results(self):
        for limited in [["query"], ["graph"], ["query", "--format", "json"]]:
            done = self.kith(*limited, "-w", "-", "--max-rows", 20, "A", told=self.FACTS)
            self.assertEqual((done.stderr, done.returncode),
                             ("kith: the query has more than 20 results, "
                              "the limit that --max-rows sets\n", 2))
        self.answer("query", "-w", "-", "--max-rows", 300, "A", told=self.FACTS)

    def test_results_until_then_are_printed(self):
        done = self.kith("query", "-w", "-", "--format", "tsv", "--max-rows", 20, "A",
                         told=self.FACTS)
        self.assertEqual(len(done.stdout.splitlines()), 1 + 20)

    def test_of_time(self):
        text = self.kith("query", "-w", "-", "--max-seconds", 0.05, "--format", "tsv",
                         "A($a), A($b), A($c), A($d)", told=self.FACTS)
        self.assertEqual((text.stderr, text.returncode),
                         ("kith: the query takes more than 0.05 seconds, "
                          "the limit that --max-seconds sets\n", 2))

    def test_of_prefabs_in_prefabs(self):
        facts = "Prefab(p0)\n" + "".join(
            f"Prefab(p{i}), IsA(a{i}, p{i - 1}), ChildOf(a{i}, p{i}), "
            f"IsA(b{i}, p{i - 1}), ChildOf(b{i}, p{i})\n" for i in range(1, 25))
        for limit in [["--max-entities", 5000], ["--max-seconds", 0.1]]:
            complaint = self.mistake("facts", "-w", "-", *limit, told=facts)
            self.assertIn(f"the limit that {limit[0]} sets", complaint)

    def test_hold_in_the_shell(self):
        done = self.kith("shell", "-w", "-", "--max-rows", 2, "--max-entities", 2, told="")
        self.assertEqual(done.returncode, 0)
        done = self.kith("shell", "--max-rows", 1, "--max-entities", 3,
                         told="A(x), A(y)\nB(u), B(v)\nA\n")
        self.assertIn("more than 1 result, the limit that --max-rows sets", done.stderr)
        self.assertNotIn("--max-entities", done.stderr)
        done = self.kith("shell", "--max-entities", 2, told="A(x), A(y)\n")
        self.assertIn("more than 2 entities, the limit that --max-entities sets", done.stderr)

    def test_are_numbers_above_0(self):
        for wrong in ["0", "-1", "x", "1x", "nan", ""]:
            self.assertEqual(self.mistake("query", "--max-rows", wrong, "A"),
                             f"kith: --max-rows {wrong}: expected a number above 0\n")


class Values(CommandTest):
    def test_a_parameter_without_one(self):
        for command in ["query", "graph"]:
            self.assertEqual(
                self.mistake(command, "-w", STATION, "(DockedTo, @at)"),
                "kith: the parameter @at has no value; give it one with -a at=ENTITY\n")

    def test_an_unknown_entity(self):
        self.assertEqual(self.mistake("query", "-w", STATION, "-a", "at=Tyco", "(DockedTo, @at)"),
                         "kith: -a at=Tyco: unknown name 'Tyco'\n"
                         "  Tyco\n"
                         "  ^^^^ did you mean 'Tycho'?\n")

    def test_what_is_no_entity_at_all(self):
        self.assertEqual(self.mistake("query", "-w", STATION, "-a", "at=((", "(DockedTo, @at)"),
                         "kith: -a at=((: unknown name '(('\n")

    def test_a_variable_that_is_not_there(self):
        self.assertEqual(self.mistake("query", "-w", STATION, "-a", "x=Tycho", "Ship"),
                         "kith: -a x=Tycho: the query has no variable $x\n")

    def test_this_where_the_query_has_none(self):
        self.assertEqual(self.mistake("query", "-w", STATION, "-a", "this=Tycho", "Runs(Fred, $x)"),
                         "kith: -a this=Tycho: the query has no variable $this\n")

    def test_all_entities_at_once(self):
        for value in ["*", "_"]:
            self.assertEqual(self.mistake("query", "-w", STATION, "-a", f"at={value}", "(DockedTo, $at)"),
                             f"kith: -a at={value}: a value is an entity; a variable without one takes all\n")

    def test_no_expression_to_use_it_in(self):
        self.assertEqual(self.mistake("graph", "-w", STATION, "-a", "at=Tycho"),
                         "kith: -a at=Tycho: a value needs an expression\n")

    def test_no_value(self):
        for value in ["at", "at=", "=Tycho", "$=Tycho", ""]:
            self.assertEqual(self.mistake("query", "-w", STATION, "-a", value, "(DockedTo, @at)"),
                             f"kith: -a {value}: expected NAME=ENTITY\n")

    def test_the_same_twice(self):
        self.assertEqual(
            self.mistake("query", "-w", STATION, "-a", "at=Tycho", "-a", "@at=Ceres", "(DockedTo, @at)"),
            "kith: -a at=Ceres: at has a value already\n")


class Files(CommandTest):
    def test_a_mistake_in_facts_names_the_file(self):
        path = self.file("bad.facts", "Npc(bob)\nPosition(bob) {1}\n")
        self.assertEqual(self.mistake("facts", "-w", path),
                         f"kith: {path}:2:15: Position is a tag and has no value\n"
                         "  Position(bob) {1}\n"
                         "                ^^^\n")

    def test_a_mistake_in_standard_input_does_too(self):
        self.assertIn("kith: <stdin>:1:5: ", self.mistake("facts", "-w", "-", told="Npc("))

    def test_what_the_world_refuses_is_a_mistake_too(self):
        self.assertIn("kith: <stdin>:2:1: ",
                      self.mistake("facts", "-w", "-", told="ChildOf(a, b)\nChildOf(b, a)"))

    def test_the_second_file_is_named_if_it_is_the_wrong_one(self):
        path = self.file("bad.facts", "Npc(")
        self.assertIn(f"kith: {path}:1:5: ", self.mistake("facts", "-w", STATION, "-w", path))

    def test_a_missing_file(self):
        self.assertEqual(self.mistake("query", "-w", "nowhere.facts", "Ship"),
                         "kith: nowhere.facts: No such file or directory\n")

    def test_a_directory(self):
        self.assertEqual(self.mistake("query", "-w", self.folder, "Ship"),
                         f"kith: {self.folder}: Is a directory\n")

    def test_a_binary_file(self):
        path = self.file("binary.facts", bytes(range(256)) * 16)
        self.assertIn(f"kith: {path}:1:1: unexpected control character U+0000\n",
                      self.mistake("facts", "-w", path))

    def test_bad_utf8(self):
        path = self.file("latin1.facts", b"Npc(bob)\nNpc(Z\xfcrich)\n")
        complaint = self.mistake("facts", "-w", path)
        self.assertIn(f"kith: {path}:2:6: the text is not valid UTF-8\n", complaint)
        complaint.encode("utf-8")  # what is shown of it is valid

    def test_standard_input_twice(self):
        self.assertEqual(self.mistake("facts", "-w", "-", "-w", "-", told="Npc(bob)"),
                         "kith: -w -: standard input can be read only once\n")

    def test_each_command_reads_files_alike(self):
        for arguments in [["query", "Ship"], ["explain", "Ship"], ["facts"], ["graph"], ["shell"]]:
            self.assertIn("nowhere.facts: No such file",
                          self.mistake(arguments[0], "-w", "nowhere.facts", *arguments[1:]))


class Options(CommandTest):
    def test_none_at_all(self):
        self.assertEqual(self.mistake(), "kith: no command was given\nsee kith help\n")

    def test_an_unknown_command(self):
        self.assertIn("kith: there is no command 'quer'; the commands are query explain ",
                      self.mistake("quer", "Ship"))
        self.assertIn("kith: there is no command 'quer'", self.mistake("help", "quer"))

    def test_an_unknown_option(self):
        self.assertIn("kith: there is no option '--bogus'", self.mistake("query", "--bogus", "Ship"))
        self.assertIn("kith: there is no option '--bogus'", self.mistake("--bogus"))

    def test_no_expression(self):
        self.assertIn("kith: EXPR is required", self.mistake("query"))
        self.assertIn("kith: EXPR is required", self.mistake("explain", "-w", STATION))

    def test_an_expression_in_pieces(self):
        self.assertIn("kith: unexpected argument 'Station'; put the expression in quotes",
                      self.mistake("query", "-w", STATION, "Ship,", "Station"))

    def test_a_file_without_its_option(self):
        for words in (["query", STATION, "Ship"], ["query", "Ship", STATION], ["facts", STATION]):
            message = self.mistake(*words)
            self.assertIn("kith: unexpected argument '", message)
            self.assertIn("'; a file of facts is given with -w\n", message)

    def test_an_option_without_its_value(self):
        self.assertIn("kith: --world needs a value\n", self.mistake("query", "Ship", "-w"))
        self.assertIn("kith: --format needs a value\n", self.mistake("query", "Ship", "--format"))

    def test_an_option_before_the_command(self):
        self.assertIn("kith: '-w' stands before the command; options come after it\n",
                      self.mistake("-w", STATION, "query", "Ship"))

    def test_an_unknown_format(self):
        self.assertEqual(self.mistake("query", "--format", "xml", "Ship"),
                         "kith: --format xml: expected table, tsv or json\n")

    def test_cached_and_uncached(self):
        self.assertEqual(self.mistake("query", "--cached", "--uncached", "Ship"),
                         "kith: --cached and --uncached exclude each other\n")

    def test_too_much(self):
        self.assertIn("kith: unexpected argument 'x'", self.mistake("tour", "x"))
        self.assertIn("kith: unexpected argument 'x'", self.mistake("facts", "x"))
        self.assertIn("kith: help takes one command", self.mistake("help", "query", "x"))


if __name__ == "__main__":
    unittest.main()
