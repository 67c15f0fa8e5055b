#!/usr/bin/env python3
import tempfile
import unittest
from pathlib import Path

import realdata_facts
import realdata_run

INDEX = """Package: gimp
Source: gimp-src (1.2)
Section: graphics
Priority: optional
Depends: libc6 (>= 2.34), gtk | qt:any [amd64], libc6 (<< 3)
Tag: role::program, uitoolkit::{gtk,
 qt}

Package: libc6
Section: libs
Essential: yes
Pre-Depends: dpkg

Package: gimp
Section: old
"""
DOG = ("02084071 05 n 02 dog 0 domestic_dog(p) a 003 @ 02083346 n 0000 ~ 01322604 n 0000 "
       "! 02083346 n 0101 | a member of the genus Canis")
CANINE = "02083346 05 n 01 canine 0 000 | any of various fissiped mammals"
BARK = "01047745 32 v 01 bark 0 000 02 + 02 00 + 11 01 | make barking sounds"


def packages():
    return realdata_facts.package_facts(INDEX.splitlines())


def wordnet():
    return realdata_facts.wordnet_facts(
        {"noun": ["  1 licence", DOG, CANINE], "verb": [BARK], "adj": [], "adv": []})


class Packages(unittest.TestCase):
    def test_a_line_with_a_blank_continues_its_field(self):
        self.assertEqual(list(realdata_facts.paragraphs(["A: 1", " 2", "B: x:y", "", "", "A: 3"])),
                         [{"A": "1 2", "B": "x:y"}, {"A": "3"}])

    def test_versions_architectures_and_alternatives_are_left_out(self):
        self.assertEqual(realdata_facts.packages_named("a (>= 1) | b [amd64], c:any, g++-12"),
                         ["a", "b", "c", "g++-12"])
        self.assertEqual(realdata_facts.packages_named(""), [])

    def test_tags_in_braces_are_expanded(self):
        self.assertEqual(realdata_facts.expand_tags("role::program, uitoolkit::{gtk, qt}, a::b"),
                         ["role::program", "uitoolkit::gtk", "uitoolkit::qt", "a::b"])

    def test_a_fact_is_there_once(self):
        self.assertEqual(list(packages().relations["Depends"]),
                         [("gimp", "libc6"), ("gimp", "gtk"), ("gimp", "qt")])

    def test_the_first_version_of_a_package_counts(self):
        self.assertEqual(list(packages().relations["Section"]),
                         [("gimp", "section:graphics"), ("libc6", "section:libs")])

    def test_a_package_without_source_is_its_own(self):
        self.assertEqual(list(packages().relations["Source"]),
                         [("gimp", "source:gimp-src"), ("libc6", "source:libc6")])

    def test_tags_are_facts(self):
        self.assertEqual([t for _, t in packages().relations["Tagged"]],
                         ["tag:role::program", "tag:uitoolkit::gtk", "tag:uitoolkit::qt"])
        self.assertEqual(list(packages().tags["Essential"]), ["libc6"])


class Wordnet(unittest.TestCase):
    def test_a_synset_has_words_pointers_and_frames(self):
        self.assertEqual(realdata_facts.parse_synset(DOG),
                         ("02084071", 5, "n", ["dog", "domestic_dog"],
                          [("@", "02083346", "n"), ("~", "01322604", "n"), ("!", "02083346", "n")],
                          []))
        self.assertEqual(realdata_facts.parse_synset(BARK)[5], [2, 11])

    def test_inverse_pointers_are_left_out(self):
        self.assertEqual(list(wordnet().relations["Hypernym"]),
                         [("dog#n02084071", "canine#n02083346")])

    def test_a_symmetric_relation_has_both_pairs(self):
        self.assertEqual(len(wordnet().relations["Antonym"]), 2)

    def test_facts_are_text(self):
        text = wordnet().as_text().splitlines()
        self.assertIn("Transitive(Hypernym)", text)
        self.assertIn("IsA(Noun, Synset)", text)
        self.assertIn('Means("word:domestic_dog", "dog#n02084071")', text)
        self.assertIn('Lexicon("dog#n02084071", "lexicon:noun.animal")', text)
        self.assertEqual(len(text), wordnet().count() + 4 + 7)

    def test_quotes_in_names_are_escaped(self):
        self.assertEqual(realdata_facts.quoted('a"b\\c'), '"a\\"b\\\\c"')


class Questions(unittest.TestCase):
    def test_a_line_with_a_blank_continues_its_key(self):
        self.assertEqual(realdata_run.read_questions("# x\nname  n\nkith  A,\n  B\nsql select 1\n"),
                         [{"name": "n", "kith": "A, B", "sql": "select 1"}])

    def test_mistakes_are_named(self):
        for text, message in (("kith A", "line 1: expected"), ("name a\nsqll x", "line 2: expected"),
                              ("name a\nkith x\nkith y", "line 3: kith is there twice"),
                              ("name a\nkith x", "a has no sql")):
            with self.assertRaisesRegex(realdata_run.Complaint, message):
                realdata_run.read_questions(text)

    def test_names_become_numbers(self):
        question = {"name": "q", "sql": "select s from c where t = [a b]", "with": "c(s, t) as (x)"}
        self.assertEqual(realdata_run.sql_of(question, {"a b": 7}),
                         "with recursive c(s, t) as (x) select s from c where t = 7")
        with self.assertRaisesRegex(realdata_run.Complaint, "q: the data has no a b"):
            realdata_run.sql_of(question, {})

    def test_the_questions_of_the_suites_have_different_names(self):
        for path in (realdata_run.ROOT / "bench/realdata").glob("*.questions"):
            names = [q["name"] for q in realdata_run.read_questions(path.read_text())]
            self.assertGreater(len(names), 20)
            self.assertEqual(len(names), len(set(names)))


class Answers(unittest.TestCase):
    def setUp(self):
        self.database = realdata_run.Database(packages())

    def test_tables_have_the_facts_and_those_of_their_kinds(self):
        sql = realdata_run.sql_of({"name": "q", "sql": "select s from needs where t = [dpkg]"},
                                  self.database.numbers)
        self.assertEqual(self.database.rows(sql), ["libc6"])
        self.assertEqual(self.database.measure(sql, 0, 10)[1], 1)
        self.assertEqual(len(self.database.rows("select s, t from needs")), 4)

    def test_an_unset_column_is_a_dash(self):
        self.assertEqual(self.database.rows("select s, null from essential"), ["libc6\t-"])

    def test_an_endless_question_is_given_up(self):
        endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c"
        self.assertIsNone(self.database.measure(endless, 0, 0.05))

    def test_a_row_that_differs_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "q.tsv").write_text("libc6\ngimp\n")
            compare = lambda sql: realdata_run.compare({"name": "q"}, self.database, sql,
                                                       Path(folder))
            self.assertIsNone(compare("select s from package"))
            self.assertEqual(compare("select s from essential"),
                             "2 rows beside 1; only kith has 'gimp', only sqlite3 has None")

    def test_the_table_has_ratios(self):
        rows = [{"name": "q", "rows": 3, "first": 12.34, "kith": 0.5, "sqlite": 2.0},
                {"name": "r", "rows": "?", "first": None, "kith": None, "sqlite": 2.0}]
        self.assertEqual(realdata_run.table(rows)[2:],
                         ["| q | 3 | 12.3 | 0.500 | 2.00 | 0.25 |",
                          "| r | ? | given up | given up | 2.00 | - |"])

    def test_the_page_has_a_line_for_what_went_wrong(self):
        found = {"facts": 9, "kith": {"load": 1, "memory": 2e6, "peak": 3e6}, "sqlite_load": 4,
                 "sqlite_memory": 5e6, "wrong": ["a/q: given up"],
                 "results": [{"name": "q", "rows": 3, "first": 1, "kith": 1, "sqlite": 2}]}
        lines = realdata_run.report("a", found)
        self.assertIn("1 questions take no longer than sqlite3.", "\n".join(lines))
        self.assertIn("- a/q: given up", lines)


if __name__ == "__main__":
    unittest.main()
