"""kith shell, typed at a pseudo-terminal and fed through a pipe."""

import re
import time
import unittest

from support import STATION, CommandTest, Terminal

PROMPT = "kith> "


class ShellTest(CommandTest):
    def open(self, *arguments, **options):
        shell = Terminal("shell", *arguments, **options)
        self.addCleanup(shell.close)
        self.greeting = shell.until(PROMPT)
        return shell

    def shown(self, shell, line):
        """What an entry shows, without the line that was typed."""
        shell.enter(line)
        return shell.until(PROMPT).split("\n", 1)[1].removesuffix(PROMPT)


class Typing(ShellTest):
    def test_greets_with_the_size_of_the_world(self):
        self.open("-w", STATION)
        self.assertRegex(self.greeting, r"kith \S+, 3\d entities. :help lists the commands.")

    def test_facts_are_told_and_queries_asked(self):
        shell = self.open()
        self.assertEqual(self.shown(shell, "Likes(bob, alice), Npc(bob)"), "2 statements\n")
        self.assertRegex(self.shown(shell, "Npc, (Likes, $whom)"),
                         r"\Athis  whom\n----  -----\nbob   alice\n\n1 result in [\d.]+ ms\n\Z")

    def test_a_question_mark_asks(self):
        shell = self.open()
        self.shown(shell, "Likes(bob, alice)")
        self.assertIn("\ntrue\n", self.shown(shell, "Likes(bob, alice)?"))
        self.assertIn("\nfalse\n", self.shown(shell, "Likes(alice, bob)?"))
        self.assertIn("\nfalse\n", self.shown(shell, "Likes(alice, bob) ?"))
        self.assertIn("\nfalse\n", self.shown(shell, "Likes(alice, bob)? // really?"))
        self.assertIn("true in ", self.shown(shell, ":time Likes(bob, alice)?"))
        self.assertIn("true in ", self.shown(shell, ":explain Likes(bob, alice)?"))

    def test_facts_can_be_taken_back(self):
        shell = self.open()
        self.shown(shell, "Likes(bob, alice)")
        self.assertEqual(self.shown(shell, "!Likes(bob, alice)"), "1 statement\n")
        self.assertIn("no results", self.shown(shell, "(Likes, *)"))

    def test_an_entry_goes_on_while_a_bracket_is_open(self):
        shell = self.open()
        shell.enter("struct Position {")
        shell.until("  ... ")
        shell.enter("  f32 x,")
        shell.until("  ... ")
        self.assertEqual(self.shown(shell, "  f32 y}"), "1 statement\n")
        self.assertEqual(self.shown(shell, "Position(bob) {1, 2}"), "1 statement\n")
        self.assertIn("Position(bob) {1, 2}\n", self.shown(shell, ":facts"))

    def test_an_entry_goes_on_after_a_comma(self):
        shell = self.open()
        shell.enter("ChildOf(wheel, car),")
        shell.until("  ... ")
        self.assertEqual(self.shown(shell, "Round(wheel)"), "2 statements\n")
        self.assertIn("car.wheel", self.shown(shell, "Round"))

    def test_an_empty_line_ends_it_anyway(self):
        shell = self.open()
        shell.enter("Likes(bob,")
        shell.until("  ... ")
        self.assertIn("kith: 1:11: expected a name", self.shown(shell, ""))

    def test_a_mistake_is_told_and_changes_nothing(self):
        shell = self.open("-w", STATION)
        self.assertEqual(self.shown(shell, "Shp"),
                         "kith: 1:1: unknown name 'Shp'\n  Shp\n  ^^^ did you mean 'Ship'?\n")
        self.assertIn("kith: 1:", self.shown(shell, "Likes(bob, alice) {1}"))
        self.assertIn("unknown name 'bob'", self.shown(shell, "(Likes, bob)"))

    def test_a_parameter_is_no_use_here(self):
        shell = self.open("-w", STATION)
        self.assertIn("the parameter @at has no value; write $at and add $at == ENTITY",
                      self.shown(shell, "(DockedTo, @at)"))
        self.assertIn("Weeping", self.shown(shell, "(DockedTo, $at), $at == Ceres"))

    def test_ctrl_d_ends_it(self):
        shell = self.open()
        shell.type("\x04")
        self.assertEqual(shell.status(), 0)

    def test_ctrl_c_drops_the_line_and_no_more(self):
        shell = self.open()
        self.shown(shell, "Npc(bob)")
        shell.type("Likes(bob,\n")
        shell.until("  ... ")
        shell.type("\x03")
        shell.until(PROMPT)
        self.assertIn("1 result", self.shown(shell, "Npc"))

    def test_ctrl_c_stops_what_is_printed(self):
        shell = self.open("-w", self.file("cross.facts",
                                          "".join(f"A(a{i})\nB(b{i})\n" for i in range(2000))))
        shell.enter("A($x), B($y)")
        shell.until("b1000")
        shell.type_at_once("\x03")
        shell.until("stopped after ")
        shell.until(PROMPT)
        shell.type("\x04")  # is not taken for another Ctrl-C
        self.assertEqual(shell.status(), 0)

    def test_ctrl_c_stops_what_is_counted(self):
        shell = self.open("-w", self.file("cross.facts",
                                          "".join(f"A(a{i})\nB(b{i})\n" for i in range(3000))))
        shell.enter(":time A($x), B($y), A($z)")
        shell.until("$z)\n")
        time.sleep(0.2)
        shell.type_at_once("\x03")
        shell.until(", stopped\n")

    def test_ctrl_c_ends_a_search_that_finds_nothing(self):
        shell = self.open("-w", self.file("cross.facts",
                                          "".join(f"A(a{i})\nB(b{i})\n" for i in range(3000))))
        shell.enter("A($x), B($y), $x != $x || $y != $y")
        shell.until("$y != $y\n")
        time.sleep(0.2)
        shell.type_at_once("\x03")
        shell.until("stopped after 0 results")
        shell.until(PROMPT)
        shell.type("\x04")  # the session goes on, and ends as always
        self.assertEqual(shell.status(), 0)

    def test_colours_are_for_terminals_that_want_them(self):
        refused = self.open("-w", STATION)
        self.assertNotIn("\033[1m", self.shown(refused, "Ship"))
        wanted = self.open("-w", STATION, no_colour="")
        self.assertIn("\033[1mthis\033[0m\n", self.shown(wanted, "Ship"))


class Completion(ShellTest):
    def complete(self, shell, start, rest, whole):
        """`start`, a tab and `rest` are the line `whole`: its results are the same."""
        shell.type(start + "\t" + rest + "\n")
        completed = shell.until(PROMPT)
        self.assertIn(self.count(self.shown(shell, whole)), completed)

    def count(self, shown):
        return next(line for line in shown.splitlines() if " in " in line).split(" in ")[0] + " in "

    def test_of_an_entity(self):
        self.complete(self.open("-w", STATION), "DockedTo($x, Tyc", "), Frigate($x)",
                      "DockedTo($x, Tycho), Frigate($x)")

    def test_of_a_relation(self):
        self.complete(self.open("-w", STATION), "(Docke", ", $at)", "(DockedTo, $at)")

    def test_of_a_path(self):
        self.complete(self.open("-w", STATION), "(ChildOf, Tycho.ri", ")", "(ChildOf, Tycho.ring)")

    def test_of_a_built_in_name(self):
        self.complete(self.open("-w", STATION), "(ChildO", ", $x)", "(ChildOf, $x)")

    def test_of_a_keyword(self):
        self.complete(self.open("-w", STATION), "Room, ?Room(casca", ")", "Room, ?Room(cascade)")

    def test_of_what_was_just_told(self):
        shell = self.open()
        self.shown(shell, "Likes(bob, alexandra)")
        self.complete(shell, "(Likes, alex", ")", "(Likes, alexandra)")

    def test_of_a_command(self):
        shell = self.open()
        shell.type(":hel\t\n")
        self.assertIn("Facts are told, queries are asked", shell.until(PROMPT))

    def test_of_a_file(self):
        path = self.file("little.facts", "Npc(bob)")
        shell = self.open()
        shell.type(f":load {path[:-5]}\t\n")
        self.assertIn("1 statement in ", shell.until(PROMPT))

    def test_several_are_listed(self):
        shell = self.open("-w", STATION)
        shell.type("Fr\t\t")
        shown = shell.until("FrigateModel")
        self.assertIn("Freighter", shown)
        self.assertIn("Frigate", shown)


class History(ShellTest):
    def test_the_last_line_comes_back(self):
        shell = self.open("-w", STATION)
        self.shown(shell, "Frigate")
        shell.type("\x1b[A\n")
        self.assertIn("2 results in ", shell.until(PROMPT))

    def test_it_outlives_the_session(self):
        history = self.folder / "history"
        first = self.open("-w", STATION, history=history)
        self.shown(first, "Freighter")
        first.enter(":quit")
        self.assertEqual(first.status(), 0)
        self.assertIn("Freighter", history.read_text())
        second = self.open("-w", STATION, history=history)
        second.type("\x1b[A\x1b[A\n")  # before :quit
        self.assertIn("2 results in ", second.until(PROMPT))


class Commands(ShellTest):
    def test_help_names_all_of_them(self):
        text = self.shown(self.open(), ":help")
        for command in "help explain load save facts format ids time quit".split():
            self.assertIn(f"  :{command} ", text)

    def test_explain(self):
        self.assertRegex(self.shown(self.open("-w", STATION), ":explain Station"),
                         r"query\n  Station\n\nplan\n(  .+\n)+\n3 results in [\d.]+ ms\n")

    def test_save_and_load(self):
        path = self.folder / "saved.facts"
        shell = self.open()
        self.shown(shell, "Likes(bob, alice)")
        self.assertEqual(self.shown(shell, f":save {path}"), f"saved to {path}\n")
        self.assertEqual(path.read_text(), "Likes(bob, alice)\n")
        other = self.open()
        self.assertRegex(self.shown(other, f":load {path}"),
                         r"\A1 statement in [\d.]+ m?s, [\d.]+ [MG]B of memory\n\Z")
        self.assertIn("bob", self.shown(other, "(Likes, alice)"))

    def test_load_of_a_wrong_file_changes_nothing(self):
        path = self.file("bad.facts", "Npc(bob)\nNpc(")
        shell = self.open()
        self.assertIn(f"kith: {path}:2:5: ", self.shown(shell, f":load {path}"))
        self.assertEqual(self.shown(shell, ":facts"), "")

    def test_save_where_one_may_not(self):
        self.assertIn("kith: /nowhere/at/all: No such file or directory",
                      self.shown(self.open(), ":save /nowhere/at/all"))

    def test_format_and_ids(self):
        shell = self.open("-w", STATION)
        self.shown(shell, ":format tsv")
        self.assertEqual(self.shown(shell, "Runs(Fred, $x)"), "x\nTycho\n")
        self.assertEqual(self.shown(shell, ":ids"), "ids are shown\n")
        self.assertEqual(self.shown(shell, "Runs(Fred, $x)"), "x\t1\nTycho\t(Runs, Tycho)\n")
        self.assertEqual(self.shown(shell, ":ids"), "ids are hidden\n")
        self.shown(shell, ":format json")
        self.assertEqual(self.shown(shell, "Runs(Fred, $x)"), '[\n{"x": "Tycho"}\n]\n')
        self.assertIn("there is no format 'xml'", self.shown(shell, ":format xml"))

    def test_time_tells_how_long_and_not_what(self):
        shell = self.open("-w", STATION)
        self.assertIn("there was no query yet", self.shown(shell, ":time"))
        self.assertRegex(self.shown(shell, ":time Ship"), r"\A4 results in [\d.]+ ms\n\Z")
        self.shown(shell, "Station")
        self.assertRegex(self.shown(shell, ":time"), r"\A3 results in [\d.]+ ms\n\Z")

    def test_quit(self):
        shell = self.open()
        shell.enter(":quit")
        self.assertEqual(shell.status(), 0)

    def test_unknown_ones(self):
        shell = self.open()
        self.assertIn("there is no command :nope", self.shown(shell, ":nope"))
        self.assertIn("there is no command :", self.shown(shell, ":"))
        self.assertIn(":load needs FILE", self.shown(shell, ":load"))
        self.assertIn("kith: :quit takes no argument, found 'now'", self.shown(shell, ":quit now"))

    def test_the_start_of_a_name_is_enough(self):
        self.assertIn("Facts are told", self.shown(self.open(), ":h"))


class Piped(CommandTest):
    def test_entries_are_lines_without_prompts(self):
        self.assertEqual(
            self.answer("shell", told="Likes(bob,\n  alice)\n:format tsv\n(Likes, $x)\n"),
            "this\tx\nbob\talice\n")

    def test_a_mistake_is_told_and_the_rest_done(self):
        done = self.kith("shell", told="Npc(bob)\nNpx\n:format tsv\nNpc\n")
        self.assertEqual((done.returncode, done.stdout), (2, "this\nbob\n"))
        self.assertIn("unknown name 'Npx'", done.stderr)

    def test_comments_and_empty_lines_are_nothing(self):
        self.assertEqual(self.answer("shell", told="\n// a comment\n\n"), "")

    def test_facts_are_told_apart_from_queries(self):
        told = [
            "Npc(bob)", "!Npc(bob)", "Likes(bob, alice)", "Game($)", "struct P {f32 x}",
            "P(bob) {1}", "Npc(bob); Npc(carl)", 'Npc("a, b")', "Npc(bob) // why ?", "Npc(a.b)",
        ]
        asked = [
            "Npc", "Npc, Npc(bob)", "(Likes, bob)", "Npc($x)", "Likes(bob, *)", "Likes(bob, _)",
            "Npc(self)", "Npc(up(IsA))", "Npc(This)", "?Npc", "Npc(bob) || Npc(carl)", "{Npc}",
            "bob == bob", "Npc(bob[up])", "Npc(bob)?", "[in] Npc(bob)", "AND | L", "Likes(bob|up, bob)",
        ]
        world = "struct P {f32 x}\nNpc(bob), Npc(carl), Likes(bob, bob), Prefab(L), Npc(L)\n:format tsv\n"
        self.assertEqual(self.answer("shell", told=world + "\n".join(told)), "")
        answers = self.answer("shell", told=world + "\n".join(asked))
        self.assertEqual(len(re.findall(r"^(this|x|result)$", answers, re.M)), len(asked), answers)


if __name__ == "__main__":
    unittest.main()
