"""How the tool of docs/status.md takes figures, compares them with limits, and finds what a command names and is not there."""

import unittest

import status


class Limits(unittest.TestCase):
    def verdict(self, limit, figure, how="kept"):
        status.kept["one"] = {"name": "one", "figure": figure, "date": "2026-11-30", "commit": "0"}
        return status.verdict_of({"name": "one", "limit": limit, "figure": how})

    def test_are_on_the_right_side(self):
        for limit, good, bad in [("<= 60 s", "60", "60.1"), (">= 85 %", "85", "84.9"), ("= 0 runs", "0", "1"), ("4 to 5 GPUs", "5", "6")]:
            self.assertEqual(self.verdict(limit, good), "holds", limit)
            self.assertEqual(self.verdict(limit, bad), "falls short", limit)

    def test_that_are_none_are_refused(self):
        for limit in ("<=60 s", "60 s", "<= 4 to 5 GPUs", "all"):
            with self.assertRaises(ValueError):
                status.bounds_of(limit)

    def test_all_pass_takes_no_failure_and_no_emptiness(self):
        self.assertEqual(self.verdict("all pass", "1,234 passed"), "holds")
        self.assertEqual(self.verdict("all pass", "5 passed, 1 failed"), "falls short")
        self.assertEqual(self.verdict("all pass", "0 passed"), "falls short")

    def test_what_nobody_measured_neither_holds_nor_falls_short(self):
        status.kept.pop("one", None)
        self.assertEqual(status.verdict_of({"name": "one", "limit": "<= 1 s", "figure": "kept"}), status.NOT_MEASURED)


class Counts(unittest.TestCase):
    def test_of_each_kind_of_test(self):
        self.assertEqual(status.cases("[==========] 8 tests\n[  PASSED  ] 7 tests.\n[  FAILED  ] 1 test, listed below:\n"), (7, 1))
        self.assertEqual(status.cases("97% tests passed, 2 tests failed out of 61\n"), (59, 2))
        self.assertEqual(status.cases("      Tests  1 failed | 11 passed (12)\n"), (11, 1))
        self.assertEqual(status.cases("  3 passed (5.0s)\n"), (3, 0))
        self.assertEqual(status.cases("Ran 10 tests in 146.1s\n\nOK\n"), (10, 0))


class Tables(unittest.TestCase):
    page = "docs/method/accuracy.md | accuracy-left-out-source"

    def test_a_row_is_meant_by_its_words(self):
        with self.assertRaises(ValueError):
            status.cells_of(f"{self.page} | step_time_s | median %")
        with self.assertRaises(ValueError):
            status.cells_of(f"{self.page} | no such source | median %")

    def test_the_worst_of_many_rows(self):
        every, large = (status.cells_of(f"{self.page} | step_time_s{words} | least coverage %") for words in ("", ", cells > 20"))
        self.assertLessEqual(every, large)
        self.assertLess(large, status.cells_of(f"{self.page} | step_time_s | most coverage %"))


class Commands(unittest.TestCase):
    def missing(self, command):
        return [what for words in status.commands_of(command) for what in status.missing_of(words)]

    def test_name_tests_scripts_and_programs(self):
        for command in [
            "build/native/tests/tests_replay --gtest_filter='Replay.*:NoSuchSuite.*'",
            "./dev nothing",
            "python3 tests/status/nothing.py",
            "npm --prefix web run nothing",
            "npm --prefix web run e2e -- nothing.spec.ts",
            "ctest --test-dir build/native -R '^nothing$'",
            "ls | no_such_program",
        ]:
            self.assertEqual(len(self.missing(command)), 1, command)
        self.assertEqual(self.missing("build/native/tests/tests_replay --gtest_filter='Replay.*' && ./dev test"), [])

    def test_may_quote_and_set_variables(self):
        self.assertEqual(list(status.commands_of("A=1 grep -E 'a|b' x | wc -l && ls")), [["grep", "-E", "a|b", "x"], ["wc", "-l"], ["ls"]])


if __name__ == "__main__":
    unittest.main()
