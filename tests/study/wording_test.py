"""check_wording.py finds what it must and passes over what it may."""
import json
import tempfile
import unittest
from pathlib import Path

import check_wording as wording

SENTENCE = "nine plain words stand here in one short sentence"


class Wording(unittest.TestCase):
    def setUp(self):
        prints = {wording.fingerprint(run) for run in wording.runs_of(SENTENCE)}
        self.prints = wording.Prints(b"".join(sorted(prints)))

    def found(self, name, text, names=()):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            return [run for one in wording.texts_of(path) for run in wording.shared(one, self.prints, names)]

    def test_runs_are_found_in_every_kind_of_file(self):
        self.assertEqual(len(wording.runs_of(SENTENCE)), 2)
        self.assertEqual(len(self.found("a.json", json.dumps({"questions": [{"prompt": SENTENCE}]}))), 2)
        self.assertEqual(len(self.found("a.csv", f"id,statement\n1,{SENTENCE}\n")), 2)
        self.assertEqual(len(self.found("a.md", f"# Title\n\nBefore: {SENTENCE.upper()}, after.\n")), 2)
        self.assertEqual(len(self.found("a.cc", 'f("nine plain words stand "\n  "here in one short sentence");')), 2)

    def test_seven_words_are_free(self):
        self.assertEqual(self.found("a.md", " ".join(SENTENCE.split()[:7]) + " and more"), [])

    def test_code_keys_and_names_are_free(self):
        self.assertEqual(self.found("a.md", f"```console\n{SENTENCE}\n```\n"), [])
        self.assertEqual(self.found("a.json", json.dumps({"drawing": SENTENCE})), [])
        self.assertEqual(self.found("a.cc", f"// {SENTENCE}\n"), [])
        self.assertEqual(self.found("a.md", SENTENCE, [SENTENCE]), [])


if __name__ == "__main__":
    unittest.main()
