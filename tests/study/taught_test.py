"""check_taught.py finds what it must in rows and headings."""
import unittest

import check_taught as taught

ITEMS = {"1.1-a": "1.1", "2.10-b": "2.10", "t.c": "2.3", "t.exam": "exam"}
SECTIONS = {"stack": ["from-below", "names"], "dpu": ["what-is-on-the-card"]}
GOOD = [
    ("1.csv", "1.1-a", "stack", "names"),
    ("2.csv", "2.10-b", "dpu", "what-is-on-the-card"),
    ("2.csv", "t.c", "dpu", ""),
]


class Taught(unittest.TestCase):
    def faults(self, *rows):
        return taught.row_faults(rows, ITEMS, SECTIONS)

    def test_sound_rows_have_no_fault(self):
        self.assertEqual(self.faults(*GOOD), [])
        self.assertEqual(self.faults(*GOOD, ("1.csv", "t.exam", "stack", "")), [])

    def test_files_are_of_a_domain_or_an_exam(self):
        self.assertTrue(taught.holds("2.csv", "2.10"))
        self.assertTrue(taught.holds("N2.csv", "N2.1") and taught.holds("N-a.csv", "N2.1"))
        self.assertFalse(taught.holds("1.csv", "2.1") or taught.holds("N-a.csv", "2.1") or taught.holds("2.csv", "N2.1"))

    def test_every_item_has_a_row(self):
        self.assertEqual(self.faults(*GOOD[1:]), ["1.1-a has no row"])

    def test_rows_lead_somewhere(self):
        for row in (
            ("1.csv", "1.1-a", "stack", "what-is-on-the-card"),
            ("1.csv", "1.1-a", "no-lesson", ""),
            ("2.csv", "1.1-a", "stack", "names"),
        ):
            self.assertEqual(len(self.faults(row, *GOOD[1:])), 1, row)
        self.assertEqual(len(self.faults(*GOOD, ("2.csv", "nothing", "dpu", ""))), 1)
        self.assertEqual(self.faults(*GOOD, GOOD[2]), ["2.csv: t.c has another row"])

    def test_names_of_sections(self):
        text = "---\nid: a\n---\n## What *is* `nvidia-smi`?\n\n```console\n# no heading\n```\n\n### 3. CPU & GPU\n"
        self.assertEqual(taught.sections_of(text), ["what-is-nvidia-smi", "3-cpu-gpu"])
        self.assertEqual(taught.lesson_faults({"a": ["x", "y", "x"]}), ["a has the section 'x' twice"])


if __name__ == "__main__":
    unittest.main()
