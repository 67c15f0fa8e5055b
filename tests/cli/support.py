"""Runs the kith command and looks at what it does.

$KITH is the command to test; without it, that of the release build. With KITH_UPDATE=1 the tests
write the files of golden/ instead of comparing them.
"""

import os
import pty
import re
import select
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
KITH = os.environ.get("KITH", str(ROOT / "build" / "release" / "kith"))
WORLDS = ROOT / "examples" / "worlds"
STATION = str(WORLDS / "station.facts")
PATIENCE = 60  # seconds, for a machine that does other things too


def without_times(text):
    """The same text whatever the time it took and the memory it needed."""
    text = re.sub(r"in [\d.]+ (ms|s)\b", "in TIME", text)
    return re.sub(r"\b[\d.]+ (MB|GB) of memory", "SIZE of memory", text)


def lines_in_any_order(text):
    return "\n".join(sorted(text.splitlines()))


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def kith(self, *arguments, told="", **options):
        """Runs the command with `told` as its standard input."""
        return subprocess.run([KITH, *map(str, arguments)], input=told, capture_output=True,
                              encoding="utf-8", errors="surrogateescape", timeout=PATIENCE,
                              **options)

    def answer(self, *arguments, told=""):
        """What a command prints that must go well."""
        done = self.kith(*arguments, told=told)
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        return done.stdout

    def mistake(self, *arguments, told=""):
        """The complaint of a command that must go wrong."""
        done = self.kith(*arguments, told=told)
        self.assertEqual((done.stdout, done.returncode), ("", 2))
        self.assertTrue(done.stderr.startswith("kith: "), done.stderr)
        return done.stderr

    def rows(self, *arguments, told=""):
        """The results of a query: a set of tuples."""
        lines = self.answer("query", "--format", "tsv", *arguments, told=told).splitlines()
        rows = [tuple(line.split("\t")) for line in lines[1:]]
        self.assertEqual(len(rows), len(set(rows)))
        return set(rows)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def assert_golden(self, name, text, any_order=False):
        """The text is that of golden/`name`; with `any_order`, the lines are."""
        path = HERE / "golden" / name
        text = without_times(text)
        if os.environ.get("KITH_UPDATE"):
            path.write_text(text, encoding="utf-8")
        wanted = path.read_text(encoding="utf-8")
        if any_order:
            text, wanted = lines_in_any_order(text), lines_in_any_order(wanted)
        self.assertEqual(text, wanted)


class Terminal:
    """The command at a pseudo-terminal, as a person would use it."""

    def __init__(self, *arguments, history="", no_colour="1"):
        environment = dict(os.environ, TERM="xterm", KITH_HISTORY=str(history), NO_COLOR=no_colour,
                           LC_ALL="C.UTF-8")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execve(KITH, ["kith", *map(str, arguments)], environment)
        self.unread = ""

    def type(self, text):
        """Types as soon as the line is being edited; what is typed earlier would be shown twice."""
        end = time.monotonic() + PATIENCE
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON and time.monotonic() < end:
            time.sleep(0.002)
        self.type_at_once(text)

    def type_at_once(self, text):
        os.write(self.terminal, text.encode())

    def enter(self, line):
        self.type(line + "\n")

    def until(self, text):
        """What is shown up to and with `text`."""
        end = time.monotonic() + PATIENCE
        while text not in self.unread:
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"{text!r} was never shown; shown was {self.unread!r}")
        shown, self.unread = self.unread.split(text, 1)
        return shown + text

    def status(self):
        """Reads to the end; returns the exit status."""
        while self._read(PATIENCE):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self):
        os.close(self.terminal)

    def _read(self, seconds):
        if not select.select([self.terminal], [], [], max(0, seconds))[0]:
            return False
        try:
            piece = os.read(self.terminal, 65536)
        except OSError:  # the other side is closed
            return False
        self.unread += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(piece)
