"""Runs the commands of docs/wishes.md and looks for what the page says of them.

    wishes_test.py SOURCES PODWRIGHT
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

podwright = pathlib.Path(sys.argv.pop(2)).resolve()
sources = pathlib.Path(sys.argv.pop(1)).resolve()
# Commands that need a cluster, GPUs, a port or a package: the file whose tests try them, and a word of these tests.
ELSEWHERE = {
    "torchrun --no-python --nnodes=2 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-endpoint=10.0.0.1:7000"
    " podwright probe --cluster -o profiles/": ("tests/native/cluster_test.cc", "TEST(Cluster, "),
    "podwright merge profiles/ -o cluster.json": ("tests/native/cluster_test.cc", "TEST(Cluster, "),
    "sbatch --nodes=8 --gpus-per-node=8 native/probes/deploy/probe.sbatch": ("tests/native/fleet_files_test.py", "sbatch"),
    "kubectl apply -f native/probes/deploy/fleet_kubernetes.yaml": ("tests/native/fleet_files_test.py", "fleet_kubernetes.yaml"),
    "podwright serve --api --port 8080": ("tests/native/commands_test.py", '"serve"'),
    "npx --yes --package build/npm/podwright-*.tgz podwright-mcp": ("tests/npm/mcp.spec.ts", "podwright-mcp"),
}


def rows():
    """Number, threads, wish, and commands with what the page says of each; a wish that is not met has a text instead."""
    for line in (sources / "docs/wishes.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if re.fullmatch(r"\d+", cells[0]):
            number, threads, wish, command, shown = cells if len(cells) == 5 else [*cells, ""]
            commands = [text.strip("`") for text in command.split("<br>")] if command.startswith("`") else []
            yield int(number), threads, wish, list(zip(commands, shown.split("<br>"), strict=True)) if commands else command


def flat(text):
    return re.sub(r"\s+", " ", text)


class Wishes(unittest.TestCase):
    def place(self):
        """A folder as the root of the sources is to commands: with the folders that they read."""
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        for name in ("examples", "tests", "native"):
            pathlib.Path(place.name, name).symlink_to(sources / name)
        return pathlib.Path(place.name)

    def ask(self, command, folder):
        programs = pathlib.Path(tempfile.mkdtemp(dir=folder))
        (programs / "podwright").symlink_to(podwright)
        around = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        return subprocess.run(["bash", "-c", command], cwd=folder, env=around, stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8")  # fmt: skip

    def try_one(self, command, shown, folder):
        before = {path for path in folder.rglob("*") if path.is_file()}
        done = self.ask(command, folder)
        code = re.search(r"ends with (\d)", shown)
        self.assertEqual(done.returncode, int(code[1]) if code else 0, f"{command}\n{done.stderr}")
        written = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and path not in before]
        there = flat(" ".join([done.stdout, done.stderr, *(path.read_text(encoding="utf-8") for path in written)]))
        for quoted in re.findall(r"`([^`]+)`", shown):
            if folder / quoted not in written and not (sources / quoted).is_file():
                self.assertTrue(quoted in there, f"{command} does not show {quoted!r}, which docs/wishes.md quotes")

    def test_each_command_shows_what_the_page_quotes(self):
        tried = 0
        for number, _, wish, answer in rows():
            folder = self.place()
            for command, shown in answer if isinstance(answer, list) else []:
                if command not in ELSEWHERE:
                    self.assertIn("`", shown, f"{command}: nothing is quoted")
                    with self.subTest(number=number, wish=wish):
                        self.try_one(command, shown, folder)
                    tried += 1
        self.assertGreaterEqual(tried, 20)

    def test_gpus_are_copies_times_gpus_of_a_copy(self):
        (command,) = [answer[0][0] for *_, answer in rows() if "podwright plan" in str(answer)]
        plans = json.loads(self.ask(f"{command} --json", self.place()).stdout)["plans"]
        self.assertTrue(plans)
        for plan in plans:
            (layout,) = plan["layouts"]
            sizes = layout["parallelism"]
            copy = sizes["tensor"] * sizes["pipeline"] * sizes["attention_data"]
            self.assertEqual(copy * sizes["data"], layout["gpu_count"])
            self.assertEqual(plan["architecture"]["replica_gpus"], copy)
            self.assertEqual(plan["architecture"]["nodes"] * 8, layout["gpu_count"])

    def test_each_wish_is_met_or_says_why_not(self):
        table = list(rows())
        self.assertEqual([number for number, *_ in table], list(range(1, len(table) + 1)))
        for number, threads, wish, answer in table:
            self.assertRegex(threads, r"\(https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+\)", number)
            self.assertTrue(wish, number)
            self.assertTrue(isinstance(answer, list) or answer.startswith("no, because "), answer)
        met = sum(isinstance(answer, list) for *_, answer in table)
        page = (sources / "docs/wishes.md").read_text(encoding="utf-8")
        self.assertIn(f"{met} of these {len(table)} wishes are met", flat(page))

    def test_what_is_tried_elsewhere_is_there(self):
        commands = {command for *_, answer in rows() if isinstance(answer, list) for command, _ in answer}
        for command, (test, word) in ELSEWHERE.items():
            self.assertIn(command, commands)
            self.assertIn(word, (sources / test).read_text(encoding="utf-8"), command)
            for file in re.findall(r"native/probes/\S+", command):
                self.assertTrue((sources / file).is_file(), file)

    def test_the_first_part_of_a_gguf_file_is_enough(self):
        sizes = {"block_count": 1, "embedding_length": 64, "feed_forward_length": 128, "attention.head_count": 4,
                 "attention.head_count_kv": 2, "context_length": 2048}  # fmt: skip
        tensors = {"token_embd": (64, 1000), "output": (64, 1000), "output_norm": (64,), "blk.0.attn_norm": (64,),
                   "blk.0.attn_q": (64, 64), "blk.0.attn_k": (64, 32), "blk.0.attn_v": (64, 32), "blk.0.attn_output": (64, 64),
                   "blk.0.ffn_norm": (64,), "blk.0.ffn_gate": (64, 128), "blk.0.ffn_up": (64, 128), "blk.0.ffn_down": (128, 64)}  # fmt: skip

        def word(text):
            return struct.pack("<Q", len(text)) + text.encode()

        head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), 1 + len(sizes))
        head += word("general.architecture") + struct.pack("<I", 8) + word("llama")
        for name, size in sizes.items():
            head += word(f"llama.{name}") + struct.pack("<II", 4, size)
        data = 0
        for name, shape in tensors.items():
            head += word(f"{name}.weight") + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, data)
            data += 4 * shape[0] * (shape[1] if len(shape) > 1 else 1)
        head += bytes(-len(head) % 32)
        part = self.place() / "model.gguf"
        part.write_bytes(head)
        cut = subprocess.run([podwright, "model", part], capture_output=True, encoding="utf-8")
        self.assertEqual(cut.returncode, 2, cut.stdout)
        self.assertIn("incomplete", cut.stderr)
        subprocess.run(["truncate", "-s", str(len(head) + data), part], check=True)
        asked = subprocess.run([podwright, "model", part], capture_output=True, encoding="utf-8")
        self.assertEqual(asked.returncode, 0, asked.stderr)
        self.assertIn("660,224", asked.stdout)


if __name__ == "__main__":
    unittest.main()
