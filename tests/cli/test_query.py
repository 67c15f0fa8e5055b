"""kith query: formats, columns, values, files, statuses."""

import json
import unittest

from support import STATION, CommandTest

FRIENDS = "Likes(bob, alice), Likes(carl, bob), Npc(bob), ChildOf(wheel, car), Round(wheel)"


class Formats(CommandTest):
    def test_tsv_is_a_header_and_a_line_per_result(self):
        self.assertEqual(
            self.answer("query", "-w", "-", "--format", "tsv", "Npc, (Likes, $whom)", told=FRIENDS),
            "this\twhom\nbob\talice\n")

    def test_tsv_without_results_is_the_header(self):
        self.assertEqual(
            self.answer("query", "-w", "-", "--format", "tsv", "Npc, Round", told=FRIENDS), "this\n")

    def test_json_is_an_array_of_objects(self):
        text = self.answer("query", "-w", "-", "--format", "json", "(Likes, $whom)", told=FRIENDS)
        self.assertCountEqual(json.loads(text), [{"this": "bob", "whom": "alice"},
                                                 {"this": "carl", "whom": "bob"}])

    def test_json_without_results_is_an_empty_array(self):
        text = self.answer("query", "-w", "-", "--format", "json", "Npc, Round", told=FRIENDS)
        self.assertEqual(json.loads(text), [])

    def test_json_has_null_for_what_is_unset(self):
        text = self.answer("query", "-w", "-", "--format", "json", "Round, ?(Likes, $whom)",
                           told=FRIENDS)
        self.assertEqual(json.loads(text), [{"this": "car.wheel", "whom": None}])

    def test_json_has_true_and_false_for_an_answer(self):
        yes = self.answer("query", "-w", "-", "--format", "json", "Likes(bob, alice)", told=FRIENDS)
        self.assertEqual(json.loads(yes), [{"result": True}])
        no = self.kith("query", "-w", "-", "--format", "json", "Likes(alice, bob)", told=FRIENDS)
        self.assertEqual(json.loads(no.stdout), [{"result": False}])

    def test_table_is_the_default(self):
        expression = "(DockedTo, $at), Runs($boss, $at)"
        self.assert_golden("table.txt", self.answer("query", "-w", STATION, expression),
                           any_order=True)
        self.assert_golden("table.txt", self.answer("query", "-w", STATION, "--format", "table",
                                                    expression), any_order=True)

    def test_table_of_nothing_says_so(self):
        self.assert_golden("table_of_nothing.txt",
                           self.answer("query", "-w", "-", "Npc, Round", told=FRIENDS))

    def test_table_counts_one_result_as_one(self):
        self.assertIn("\n1 result in ", self.answer("query", "-w", "-", "Npc", told=FRIENDS))

    def test_table_columns_line_up_for_wide_characters(self):
        self.assert_golden("table_wide.txt", self.answer(
            "query", "-w", "-", "Knows($a, $b)", told="Knows(\"東京\", \"é\"), Knows(ab, cd)"),
            any_order=True)

    def test_a_table_grows_when_a_late_row_is_wide(self):
        facts = "".join(f"Is(a{i:03}, x)\n" for i in range(300)) + f"Is({'w' * 30}, x)\n"
        text = self.answer("query", "-w", "-", "Is($a, $b)", told=facts)
        self.assertIn("a000  x\n", text)
        self.assertIn("w" * 30 + "  x\n", text)
        self.assertIn("301 results in ", text)

    def test_no_colour_outside_of_a_terminal(self):
        self.assertNotIn("\033", self.answer("query", "-w", STATION, "Ship"))


class Columns(CommandTest):
    def test_variables_come_in_the_order_of_their_first_use(self):
        text = self.answer("query", "-w", "-", "--format", "tsv", "Likes($b, $a), ?Npc($a), $this == bob",
                           told=FRIENDS)
        self.assertEqual(text.splitlines()[0], "this\tb\ta")

    def test_a_query_without_this_has_no_such_column(self):
        self.assertEqual(self.rows("-w", "-", "Likes(carl, $x)", told=FRIENDS), {("bob",)})

    def test_unset_values_are_dashes(self):
        self.assertEqual(self.rows("-w", "-", "Round, ?(Likes, $x)", told=FRIENDS),
                         {("car.wheel", "-")})

    def test_children_are_paths_with_dots(self):
        self.assertEqual(self.rows("-w", "-", "Round", told=FRIENDS), {("car.wheel",)})

    def test_entities_without_a_name_are_numbers(self):
        self.assertEqual(self.rows("-w", "-", "Npc", told="Npc(#5000)"), {("#5000",)})

    def test_a_name_with_a_tab_stays_in_its_column(self):
        text = self.answer("query", "-w", "-", "--format", "tsv", "Npc", told='Npc("a\\tb\\nc")')
        self.assertEqual(text, "this\na\\tb\\nc\n")

    def test_no_two_names_are_one_in_tsv(self):
        facts = 'Npc("a\\tb"), Npc("a\\\\tb"), Npc("-"), Npc("x\\x1by"), Npc("a.b")'
        self.assertEqual(self.rows("-w", "-", "Npc", told=facts),
                         {(r"a\tb",), (r"a\\tb",), ('"-"',), (r"x\x1by",), ('"a.b"',)})

    def test_names_in_json_are_what_they_are(self):
        names = ["a\tb", "a\\tb", "-", "x\x1by", "line\r\nline", "é", "\x7f"]
        facts = "\n".join("Npc(%s)" % json.dumps(name, ensure_ascii=False).replace(r"\u00", r"\x")
                          for name in names).replace("\x7f", r"\x7f")
        text = self.answer("query", "-w", "-", "--format", "json", "Npc", told=facts)
        self.assertCountEqual([row["this"] for row in json.loads(text)], names)

    def test_variables_inside_not_alone_are_no_columns(self):
        self.assertEqual(self.rows("-w", "-", "Npc, !Likes($x, carl)", told=FRIENDS + ", carl"),
                         {("bob",)})

    def test_results_that_differ_in_a_wildcard_repeat_the_line(self):
        text = self.answer("query", "-w", "-", "--format", "tsv", "(Likes, *)",
                           told="Likes(bob, alice), Likes(bob, carl)")
        self.assertEqual(text, "this\nbob\nbob\n")

    def test_yes_and_no_are_a_column_called_result(self):
        self.assertEqual(self.rows("-w", "-", "Likes(bob, alice)", told=FRIENDS), {("true",)})

    def test_a_wildcard_does_not_make_a_question_more_than_that(self):
        self.assertEqual(self.rows("-w", "-", "Likes(bob, *)", told=FRIENDS), {("true",)})


class Ids(CommandTest):
    def test_there_is_a_column_for_each_chain(self):
        text = self.answer(
            "query", "-w", "-", "--ids", "--format", "tsv",
            "Fruit, (In, world), !Rotten, ?Sweet, {Fruit}, Sour || Fruit, $this != bowl",
            told="IsA(Apple, Fruit), Apple(a), Transitive(In), In(a, bowl), In(bowl, world), Rotten(x), "
                 "Sweet(x), Sour(x)")
        self.assertEqual(text, "this\t1\t2\t3\t4\t5\t6\t7\na\tApple\t(In, bowl)\t-\t-\t-\tApple\t-\n")

    def test_a_term_that_holds_by_reflexive_alone_has_no_id(self):
        self.assertEqual(
            self.rows("-w", "-", "--ids", "Npc, (Same, a)", told="Reflexive(Same), Npc(a)"),
            {("a", "Npc", "-")})

    def test_a_list_has_no_id(self):
        self.assertEqual(self.rows("-w", "-", "--ids", "OR | L", told="Prefab(L), A(L), A(x)"),
                         {("x", "-")})

    def test_parts_of_pairs_are_paths(self):
        self.assertEqual(self.rows("-w", "-", "--ids", "(*, car.wheel)", told="On(tyre, car.wheel)"),
                         {("tyre", "(On, car.wheel)")})

    def test_a_question_has_none(self):
        self.assertEqual(self.rows("-w", "-", "--ids", "Likes(bob, alice)", told=FRIENDS), {("true",)})


class Values(CommandTest):
    def test_a_parameter_gets_its_value(self):
        self.assertEqual(self.rows("-w", "-", "-a", "whom=alice", "(Likes, @whom)", told=FRIENDS),
                         {("bob", "alice")})

    def test_a_variable_can_get_one_too(self):
        self.assertEqual(self.rows("-w", "-", "-a", "whom=bob", "(Likes, $whom)", told=FRIENDS),
                         {("carl", "bob")})

    def test_so_can_this(self):
        for name in ["this", "This", "$this"]:
            self.assertEqual(self.rows("-w", "-", "-a", f"{name}=carl", "(Likes, $whom)", told=FRIENDS),
                             {("carl", "bob")})

    def test_a_variable_that_has_one_is_a_column_also_inside_not(self):
        header, *rows = self.answer("query", "-w", "-", "--format", "tsv", "-a", "y=alice", "-a", "x=carl",
                                    "!Likes($x, $y), Likes(carl, $z)", told=FRIENDS).splitlines()
        self.assertEqual((header, rows), ("x\ty\tz", ["carl\talice\tbob"]))

    def test_several(self):
        self.assertEqual(self.rows("-w", "-", "-a", "a=bob", "-a", "b=alice", "Likes(@a, @b)",
                                   told=FRIENDS), {("bob", "alice")})

    def test_a_name_may_be_written_as_in_the_query(self):
        self.assertEqual(self.rows("-w", "-", "-a", "@whom=alice", "(Likes, @whom)", told=FRIENDS),
                         {("bob", "alice")})

    def test_values_are_paths_numbers_or_have_blanks(self):
        facts = 'On(a, car.wheel), On(b, #5000), On(c, "two words")'
        for value, row in [("car.wheel", "a"), ("#5000", "b"), ("two words", "c")]:
            self.assertEqual(self.rows("-w", "-", "-a", f"x={value}", "(On, @x)", told=facts),
                             {(row, value)})


class Files(CommandTest):
    def test_several_are_read_in_order(self):
        first = self.file("first.facts", "Likes(bob, alice)")
        second = self.file("second.facts", "!Likes(bob, alice)\nLikes(bob, carl)")
        self.assertEqual(self.rows("-w", first, "-w", second, "(Likes, $x)"), {("bob", "carl")})
        self.assertEqual(self.rows("-w", second, "-w", first, "(Likes, $x)"),
                         {("bob", "carl"), ("bob", "alice")})

    def test_standard_input_is_one_of_them(self):
        first = self.file("first.facts", "Likes(bob, alice)")
        self.assertEqual(self.rows("-w", first, "-w", "-", "(Likes, $x)", told="Likes(alice, bob)"),
                         {("bob", "alice"), ("alice", "bob")})

    def test_each_is_a_text_of_its_own(self):
        first = self.file("first.facts", "ChildOf(wheel, car)")
        second = self.file("second.facts", "Round(wheel)")
        self.assertEqual(self.rows("-w", first, "-w", second, "Round"), {("wheel",)})

    def test_an_empty_world_has_the_built_in_entities(self):
        self.assertEqual(self.rows("Transitive"), set())
        self.assertEqual(self.rows("-w", "/dev/null", "(ChildOf, *)"), set())


class Expressions(CommandTest):
    def test_words_of_the_command_line_are_names_like_others(self):
        facts = "tour(a), query(b), help(c)"
        for name, row in [("tour", "a"), ("query", "b"), ("help", "c")]:
            self.assertEqual(self.rows("-w", "-", name, told=facts), {(row,)})

    def test_signs_that_mean_something_to_command_lines_are_left_alone(self):
        facts = "struct P {f32 x}\nP(a), T(a), Likes(a, b)"
        for expression in ["[in] P", "!Likes(b, $this), P", "?P, T", "{P}", "P // no more", "(*, b)",
                           '$this == "a"', "T\n,\nP"]:
            self.assertEqual(self.rows("-w", "-", expression, told=facts), {("a",)}, expression)

    def test_options_may_stand_anywhere(self):
        path = self.file("one.facts", "Npc(bob)")
        for arguments in [["Npc", "-w", path, "--format", "tsv"], ["--format=tsv", f"-w{path}", "Npc"],
                          ["-w", path, "--format", "tsv", "--", "Npc"], [f"--world={path}", "Npc", "--format", "tsv"]]:
            self.assertEqual(self.answer("query", *arguments), "this\nbob\n")

    def test_of_two_formats_the_last_counts(self):
        self.assertEqual(self.answer("query", "-w", "-", "--format", "json", "--format", "tsv", "Npc",
                                     told="Npc(bob)"), "this\nbob\n")


class Caching(CommandTest):
    def test_the_answer_is_the_same(self):
        for expression in ["Ship, ?(DockedTo, $at)", "Room, ?Room(cascade)", "(*, Tycho)",
                           "Likes(Holden, Fred)", "DockedTo($a, $b), Runs($c, $b)"]:
            plain = self.rows("-w", STATION, expression)
            self.assertEqual(self.rows("-w", STATION, "--cached", expression), plain)
            self.assertEqual(self.rows("-w", STATION, "--uncached", expression), plain)


class Order(CommandTest):
    def test_is_that_of_the_query(self):
        rooms = self.answer("query", "-w", STATION, "--format", "tsv", "Room, ?Room(cascade|desc)")
        depths = [line.count(".") for line in rooms.splitlines()[1:]]
        self.assertEqual(depths, [2, 2, 2, 1, 1])

    def test_is_the_same_each_time(self):
        arguments = ["query", "-w", STATION, "--format", "tsv", "Ship || Room, ?(*, *)"]
        self.assertEqual(self.answer(*arguments), self.answer(*arguments))


class Status(CommandTest):
    def test_is_1_for_a_question_answered_false(self):
        for format in ["tsv", "json", "table"]:
            done = self.kith("query", "-w", "-", "--format", format, "Likes(alice, bob)", told=FRIENDS)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertIn("false", done.stdout)

    def test_is_0_for_a_question_answered_true(self):
        self.assertIn("true", self.answer("query", "-w", "-", "Likes(bob, alice)", told=FRIENDS))

    def test_is_0_for_a_query_without_results(self):
        self.assertIn("no results", self.answer("query", "-w", "-", "Npc, Round", told=FRIENDS))


if __name__ == "__main__":
    unittest.main()
