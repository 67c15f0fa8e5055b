#!/usr/bin/env python3
import os
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def scripts():
    """The commands that people call: ./check, ./run and the executable files of scripts/."""
    found = [ROOT / "check", ROOT / "run"]
    found += [path for path in sorted((ROOT / "scripts").iterdir())
              if path.is_file() and os.access(path, os.X_OK) and not path.match("test_*.py")]
    return found


def call(script, argument):
    return subprocess.run([script, argument], capture_output=True, text=True, timeout=60)


class Usage(unittest.TestCase):
    def test_help_prints_a_usage_text(self):
        for script in scripts():
            with self.subTest(script=script.name):
                done = call(script, "--help")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("usage: ", done.stdout)
                self.assertEqual([line for line in done.stdout.splitlines() if len(line) > 100], [])

    def test_an_unknown_option_is_an_error_with_the_usage(self):
        for script in scripts():
            with self.subTest(script=script.name):
                done = call(script, "--no-such-option")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("usage: ", done.stderr)
                self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
