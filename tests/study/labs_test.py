"""check_labs.py finds what it must in a lab and its answer."""
import copy
import unittest

import check_labs as labs

LAB = {
    "id": "a-lab", "title": "A lab", "objective": "1.2", "minutes": 4, "unit": "GB", "sources": ["known"],
    "setting": "One sentence. Another one.", "question": "How much?", "hints": ["Think."],
    "reveal": "First. Second. Third.", "answer_pointer": "/memory/gb", "request": {"kind": "serving", "tokens": 10},
    "slider": {"min": 1, "max": 100, "scale": "log", "start": 2},
    "explore": {"inputs": [{"pointer": "/tokens", "label": "Tokens", "min": 1, "max": 100, "scale": "log", "integer": True}],
                "shows": [{"pointer": "/memory/gb", "label": "Memory", "unit": "GB"}]},
}  # fmt: skip


class Labs(unittest.TestCase):
    def changed(self, **fields):
        lab = copy.deepcopy(LAB)
        for name, value in fields.items():
            holder, _, key = name.rpartition("__")
            (lab[holder] if holder else lab)[key] = value
        return lab

    def test_a_sound_lab_has_no_fault(self):
        self.assertEqual(labs.check_lab(LAB, None, {"known"}, {}), [])
        self.assertEqual(labs.answer_faults(LAB, {"memory": {"gb": 30}}), [])

    def test_texts(self):
        for fields in ({"question": "Say it"}, {"reveal": "Short."}, {"sources": []}, {"sources": ["?"]}, {"minutes": 30},
                       {"hints": []}, {"objective": "9.9"}, {"id": "A lab"}):  # fmt: skip
            self.assertEqual(len(labs.check_lab(self.changed(**fields), None, {"known"}, {})), 1, fields)

    def test_sliders(self):
        for fields in ({"slider__start": 0}, {"slider__min": 0}, {"slider__max": 1}, {"request__tokens": 200}):
            self.assertEqual(len(labs.check_lab(self.changed(**fields), None, {"known"}, {})), 1, fields)

    def test_answers_outside_at_the_ends_at_the_start_and_given_away(self):
        for value in (0.5, 200, 1.1, 95, 2.1):
            self.assertEqual(len(labs.answer_faults(LAB, {"memory": {"gb": value}})), 1, value)
        given = self.changed(reveal="It is 30 GB. Second. Third.")
        self.assertEqual(labs.answer_faults(given, {"memory": {"gb": 30.1}}), ["reveal holds the answer: 30"])
        self.assertEqual(labs.answer_faults(LAB, {}), ["the answer has no /memory/gb"])

    def test_inputs_are_asked_along_their_way(self):
        asked = {request["tokens"] for _, request in labs.requests_of(LAB)}
        self.assertEqual(asked, {1, 3, 5, 26, 100})

    def test_shown_values(self):
        self.assertEqual(labs.shown_faults(LAB, "x", {"memory": {"gb": 3}}), [])
        self.assertEqual(len(labs.shown_faults(LAB, "x", {"memory": {"gb": "much"}})), 1)
        self.assertEqual(len(labs.shown_faults(LAB, "x", {"errors": [{"path": "/tokens", "message": "no"}]})), 1)


if __name__ == "__main__":
    unittest.main()
