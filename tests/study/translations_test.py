"""check_translations.py finds what it must in Chinese texts."""
import copy
import unittest

import check_translations as check

QUESTION = {
    "kind": "choice",
    "prompt": "How much memory do 8 GPUs of 80 GB have?",
    "options": [
        {"text": "640 GB", "right": True, "why": "8 x 80 GB."},
        {"text": "nvidia-smi", "why": "It is a command."},
    ],
    "explanation": "They add up.",
}
MADE = {
    "prompt": "8 块 80 GB 的 GPU 共有多少显存？",
    "options": [{"text": "共 640 GB", "why": "即 8 x 80 GB。"}, {"text": "nvidia-smi", "why": "它是一个命令。"}],
    "explanation": "各块相加。",
    "of": "0",
}
ENGLISH = "## What\n\nA text of $n$ and 7 GB.\n\n```console\n$ ls\n```\n\n$$ n = 5 $$\n"
BODY = "## 什么\n\n含 $n$ 的文字，7 GB。\n\n```console\n$ ls\n```\n\n$$ n = 5 $$\n"
CALCULATOR = '```calculator\n{{"title": "{}", "inputs": [{{"label": "{}", "min": {}}}]}}\n```\n'


class Translations(unittest.TestCase):
    def test_digest_is_that_of_the_site(self):
        self.assertEqual(
            check.text_of_question({"prompt": "Which – “it”?", "options": [{"text": "A", "why": "B"}], "explanation": "C"}),
            '["Which – “it”?",[["A","B"]],"C"]',
        )
        self.assertEqual(check.digest(""), "e3b0c44298fc")

    def test_names_and_brackets_are_no_english(self):
        for text in ("运行 nvidia-smi", "NVMe over Fabrics 提供什么？", "成组调度（gang scheduling of all pods）", "Jetson"):
            self.assertFalse(check.is_english(text), text)
        for text in ("TensorRT compiles engines.", "It runs one copy of each program. 好", "hypervisor"):
            self.assertTrue(check.is_english(text), text)

    def test_numbers(self):
        self.assertEqual(check.numbers_lost("1,128 GB，700 亿，FP8", "1,128 GB in FP8, 70 billion"), [])
        self.assertEqual(check.numbers_lost("共 1128 GB", "1,128 GB, 4.8 TB/s."), ["1,128", "4.8"])

    def test_a_sound_question(self):
        self.assertEqual(check.question_faults(MADE, QUESTION), [])

    def test_faults_of_a_question(self):
        changes = (
            lambda made: made["options"].pop(),
            lambda made: made.update(prompt="8 块, 80 GB 的 GPU 有多少显存？"),
            lambda made: made.update(prompt="8 块 80 GB 的GPU 有多少显存？"),
            lambda made: made.update(prompt="8 块 90 GB 的 GPU 有多少显存？"),
            lambda made: made.update(explanation="各块相加"),
            lambda made: made["options"][1].update(text="共 640 GB"),
            lambda made: made["options"][1].update(why="It is a command of the driver。"),
            lambda made: made.update(note="注"),
        )
        for change in changes:
            made = copy.deepcopy(MADE)
            change(made)
            self.assertEqual(len(check.question_faults(made, QUESTION)), 1, made)
        self.assertEqual(len(check.question_faults(MADE, {**QUESTION, "kind": "choose-two"})), 1)

    def test_lessons(self):
        def faults(body, english=ENGLISH):
            return len(check.lesson_faults({"title": "题目", "of": "0"}, body, english))

        self.assertEqual(faults(BODY), 0)
        for old, new in (("##", "###"), ("$ ls", "$ cd"), ("$$ n = 5 $$", "$$ n = 6 $$"), ("，7 GB", "")):
            self.assertEqual(faults(BODY.replace(old, new)), 1, new)
        self.assertEqual(faults(BODY + "This is one more English paragraph.\n"), 1)
        english = ENGLISH + CALCULATOR.format("A", "B", 1)
        self.assertEqual(faults(BODY + CALCULATOR.format("甲", "乙", 1), english), 0)
        self.assertEqual(faults(BODY + CALCULATOR.format("甲", "乙", 2), english), 1)


if __name__ == "__main__":
    unittest.main()
