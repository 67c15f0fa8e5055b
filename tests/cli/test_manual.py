"""The examples of docs/command.md and README.md print what the page shows.

In a ```console block each line that starts with `$ ` is a command; the lines up to the next one are its output.
A line `...` stands for any lines. Times are not compared, and lines may come in another order.
"""

import os
import re
import subprocess
import unittest
from collections import Counter

from support import KITH, PATIENCE, ROOT, WORLDS, CommandTest, without_times


def examples(page):
    """Pairs of a command and the output the page shows for it."""
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
        for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = example.partition("\n")
            yield command, output


class Manual(CommandTest):
    def run_example(self, command):
        path = f"{os.path.dirname(KITH)}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-c", command], cwd=WORLDS, env=dict(os.environ, PATH=path),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                              timeout=PATIENCE)
        return Counter(without_times(done.stdout).splitlines())

    def check(self, page, at_least):
        found = list(examples(page))
        self.assertGreaterEqual(len(found), at_least)
        for command, output in found:
            with self.subTest(command=command):
                shown = Counter(without_times(output).strip("\n").splitlines())
                printed = self.run_example(command)
                if shown.pop("...", 0):
                    printed &= shown
                # Empty lines at the end of a block are layout.
                shown.pop("", 0), printed.pop("", 0)
                self.assertEqual(shown, printed)

    def test_its_examples_are_true(self):
        self.check(ROOT / "docs" / "command.md", 12)

    def test_so_are_those_of_the_first_page(self):
        self.check(ROOT / "README.md", 1)


if __name__ == "__main__":
    unittest.main()
