"""Large worlds and large answers: streaming, pipes that close, progress at a terminal."""

import os
import subprocess
import unittest
from pathlib import Path

from support import KITH, PATIENCE, CommandTest, Terminal

# A thousand a times as many b: the query has a million results.
CROSS = "".join(f"A(a{i})\nB(b{i})\n" for i in range(1000))
# More than the megabyte from which on a file counts as big.
BIG = "".join(f"Inhabitant(person{i}, {'city' * 24}{i % 100})\n" for i in range(10_000))


def resident_pages(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])


class Streaming(CommandTest):
    def start(self, format):
        # A sanitizer would keep freed memory.
        environment = dict(os.environ, ASAN_OPTIONS="quarantine_size_mb=1")
        process = subprocess.Popen(
            [KITH, "query", "-w", self.file("cross.facts", CROSS), "--format", format, "A($x), B($y)"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        return process

    def test_rows_come_while_the_query_runs_and_are_not_kept(self):
        for format in ["table", "tsv", "json"]:
            process = self.start(format)
            for _ in range(5_000):
                self.assertTrue(process.stdout.readline())
            at_first = resident_pages(process.pid)
            for _ in range(30_000):
                process.stdout.readline()
            self.assertIsNone(process.poll())
            grown = (resident_pages(process.pid) - at_first) * os.sysconf("SC_PAGESIZE")
            self.assertLess(grown, 2_000_000)

    def test_a_closed_pipe_ends_it_quietly(self):
        for format in ["table", "tsv", "json"]:
            process = self.start(format)
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(PATIENCE), 0)
            self.assertEqual(process.stderr.read(), b"")

    def test_a_pipe_that_was_closed_before_does_too(self):
        for command in ["facts", "graph"]:
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([KITH, command, "-w", self.file("big.facts", BIG)], stdout=write,
                                  stderr=subprocess.PIPE, timeout=PATIENCE)
            os.close(write)
            self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_full_disk_is_told(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([KITH, "tour"], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"kith: cannot write the output: No space left on device\n"))


class Loading(CommandTest):
    def test_a_big_file_shows_progress_and_cost_at_a_terminal(self):
        terminal = Terminal("query", "-w", self.file("big.facts", BIG), "(Inhabitant, " + "city" * 24 + "7)")
        self.addCleanup(terminal.close)
        self.assertIn("% of 10,000 lines", terminal.until("\033[K"))
        self.assertRegex(terminal.until("of memory"),
                         r"big.facts: 10,000 statements in [\d.]+ m?s, [\d.]+ [MG]B of memory")
        terminal.until("100 results in ")
        self.assertEqual(terminal.status(), 0)

    def test_nothing_of_it_is_shown_elsewhere(self):
        path = self.file("big.facts", BIG)
        self.assertEqual(len(self.rows("-w", path, "(Inhabitant, " + "city" * 24 + "7)")), 100)

    def test_a_small_file_shows_none(self):
        terminal = Terminal("query", "-w", self.file("small.facts", "Npc(bob)"), "Npc")
        self.addCleanup(terminal.close)
        self.assertNotIn("small.facts", terminal.until("1 result in "))
        self.assertEqual(terminal.status(), 0)

    def test_a_mistake_at_the_end_of_a_big_file_is_found(self):
        path = self.file("big.facts", BIG + "Npc(")
        self.assertIn(f"kith: {path}:10001:5: ", self.mistake("facts", "-w", path))


if __name__ == "__main__":
    unittest.main()
