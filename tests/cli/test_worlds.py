"""The worlds under examples/worlds can be read, and the queries they tell have the results they tell."""

import re
import subprocess
import sys
import unittest

from support import WORLDS, CommandTest

# `//   -a t=red (OnTeam, @t)    3`, below the first line of a file
TOLD = re.compile(r"//   (?P<values>(?:-a \S+ )*)(?P<expression>.*?) {2,}(?P<answer>\S+)$", re.M)


class Worlds(CommandTest):
    def files(self):
        files = sorted(WORLDS.glob("*.facts"))
        self.assertGreaterEqual(len(files), 7)
        return files

    def test_their_queries_have_the_results_they_tell(self):
        for file in self.files():
            for told in TOLD.finditer(file.read_text(encoding="utf-8")):
                with self.subTest(file=file.name, query=told["expression"]):
                    done = self.kith("query", "-w", file, "--format", "tsv", *told["values"].split(),
                                     told["expression"])
                    self.assertEqual(done.stderr, "")
                    header, *rows = done.stdout.splitlines()
                    answer = rows[0] if header == "result" else str(len(rows))
                    self.assertEqual(answer, told["answer"])

    def test_each_but_that_of_the_tour_tells_some(self):
        for file in self.files():
            if file.name != "station.facts":
                self.assertGreaterEqual(len(TOLD.findall(file.read_text(encoding="utf-8"))), 5, file)

    def test_they_are_read_back_from_what_they_print(self):
        for file in self.files():
            text = self.answer("facts", "-w", file)
            self.assertEqual(self.answer("facts", "-w", "-", told=text), text)

    def test_the_packages_are_what_their_script_makes(self):
        made = subprocess.run([sys.executable, WORLDS / "make_packages.py"], capture_output=True,
                              encoding="utf-8", check=True)
        self.assertEqual(made.stdout, (WORLDS / "packages.facts").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
