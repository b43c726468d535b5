"""What runs on a host with a GPU, here on scripted devices: steps and their time, comparisons, all three parts.

    gpu_evidence_test.py SOURCES PODWRIGHT
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

sources, podwright = (pathlib.Path(word).resolve() for word in sys.argv[1:])
sys.path.insert(0, str(sources / "native/package"))
import gpu_comparisons  # noqa: E402
import gpu_evidence  # noqa: E402

MIB = 1 << 20
# In the place of PyTorch: a copy over the host link, and steps of about the predicted times.
REFERENCE = """
import json, os, sys
lines = {
    "kernels": [{"torch": "0"}, {"probe": "pcie.h2d", "size": {"bytes": 268435456}, "time_s": 4.9e-3},
                {"left_out": "products", "error": "none here"}],
    "decode": [{"step": "decode", "batch": 1, "time_s": 1}, {"step": "decode", "batch": 16, "time_s": 9e-3}],
    "train": [{"step": "train", "time_s": 0.9}, {"step": "train", "time_s": float(os.environ.get("TRAIN_S", "0.15"))}],
}
for line in lines[sys.argv[1]]:
    print(json.dumps(line))
"""


def result(probe, median, half=0.001, **size):
    time = {"median": median, "lo95": median * (1 - half), "hi95": median * (1 + half)}
    return {"probe": probe, "size": size, "time_s": time}


class Folder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def write(self, name, *results, **more):
        (self.folder / name).write_text(json.dumps({"results": results, **more}), encoding="utf-8")

    def tables(self, *steps):
        return gpu_comparisons.Tables(self.folder, {step: {"exit_code": 0, "seconds": 1} for step in steps}, [])


class Time(unittest.TestCase):
    def test_three_parts_of_nine_minutes_within_25(self):
        parts = {part: gpu_evidence.most_seconds(part) for part in gpu_evidence.STEPS}
        self.assertEqual(list(parts), ["A", "B", "C"])
        self.assertLessEqual(max(parts.values()), 540)
        self.assertLessEqual(sum(parts.values()), 25 * 60)
        page = (sources / "docs/operator.md").read_text(encoding="utf-8")
        for part, seconds in parts.items():
            self.assertIn(f"| {part} | {seconds} s |", page)

    def ended(self, script, seconds):
        child = subprocess.Popen(["bash", "-c", script], stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)
        code = gpu_evidence.wait_for(child, seconds)
        return code, child.communicate()[0]

    def test_a_step_without_time_left_ends_in_order(self):
        script = "trap 'echo kept; exit 4' INT; while :; do sleep 0.05; done"
        self.assertEqual(self.ended(script, 1.5), (4, "kept\n"))

    def test_a_step_that_does_not_end_is_killed_with_what_it_started(self):
        self.assertEqual(self.ended("trap '' INT; sleep 100; echo never", 0.6), (-9, ""))


class Comparisons(Folder):
    def against_best(self, best_s):
        usual = [result("gemm.bf16", 100e-6, m=4096, n=4096, k=4096), result("gemm.bf16", 1, m=1, n=1, k=1)]
        best = result("gemm.bf16.best", best_s, m=4096, n=4096, k=4096)
        results = gpu_comparisons.measured({"results": [*usual, best]})
        tables = self.tables()
        tables.against_limits(results, products=tables.best_products(results))
        return tables

    def test_products_come_near_the_best_algorithm(self):
        self.assertEqual(self.against_best(98e-6).failed(), [])
        (failed,) = self.against_best(96e-6).failed()
        self.assertIn("96.0 % of the limit in 1 comparisons (gemm.bf16 m 4096 n 4096 k 4096)", failed["sentence"])

    def test_only_copies_of_pytorch_are_limits(self):
        lines = [
            {"probe": "gemm.bf16", "size": {"m": 4096}, "time_s": 50e-6},
            {"probe": "hbm.copy", "size": {"bytes": MIB}, "time_s": 99e-6},
            {"left_out": "prompts", "error": "none"},
        ]
        (self.folder / "kernels.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        results = [result("gemm.bf16", 100e-6, m=4096), result("hbm.copy", 100e-6, bytes=MIB)]
        results.append(result("hbm.copy", 1, bytes=1))
        tables = self.tables()
        tables.against_limits({gpu_comparisons.place(one): one for one in results}, copies=tables.of_pytorch())
        self.assertEqual([one["check"] for one in tables.checks], ["copies >= 97 %"])
        self.assertIn("50.0 %", tables.text())
        self.assertEqual(tables.failed(), [])

    def agreement(self, seconds):
        self.write("quick1.json", *[result("gemm.bf16", 1, m=m) for m in range(10)])
        self.write("quick2.json", *[result("gemm.bf16", seconds, m=m) for m in range(10)])
        tables = self.tables()
        tables.runs_agree()
        return not tables.failed()

    def test_two_runs_agree_within_their_intervals(self):
        self.assertTrue(self.agreement(1.015))  # 1 % to either side
        self.assertFalse(self.agreement(1.03))

    def test_wrong_or_unfinished_runs_fail(self):
        wrong = {"probe": "l2.read", "check": {"status": "fail"}, "skip": {"reason": "one_device"}}
        for results, complete in (([wrong], True), ([], False)):
            self.write("quick1.json", *results, devices=[{}], run={"complete": complete})
            tables = self.tables("quick1")
            tables.run_is_whole("quick1")
            self.assertEqual(len(tables.failed()), 1)
        self.assertIn("unfinished", tables.text())

    def test_without_the_library_of_products_part_a_fails(self):
        for environment, failing in (({"cublaslt": "130100"}, 0), ({"nccl": "2.27"}, 1)):
            self.write("quick1.json", environment=environment)
            tables = self.tables()
            tables.library_is_there()
            self.assertEqual(len(tables.failed()), failing)

    def test_a_profile_of_an_earlier_visit_is_not_taken(self):
        self.write("quick1.json", devices=[{}], run={"complete": True})
        tables = self.tables()
        tables.run_is_whole("quick1")
        self.assertEqual(tables.failed()[0]["sentence"], "no profile came")

    def test_nothing_names_the_host(self):
        host, uuid = socket.gethostname(), "01234567-89ab-cdef-0123-456789abcdef"
        text = gpu_evidence.without_names(f"on {host}: GPU-{uuid}, {pathlib.Path.home()}/x, h100-sxm5")
        self.assertEqual(text, "on (host): GPU-(uuid), (home)/x, h100-sxm5")


class Requests(unittest.TestCase):
    def test_shapes_of_pytorch_are_the_catalogs(self):
        text = (sources / "native/package/gpu_reference.py").read_text(encoding="utf-8")
        for model, name, keys in (
            ("llama-3.1-8b", "DECODED", dict(layers="layers", hidden="hidden_size", ffn="ffn_hidden_size",
             heads="attention_heads", groups="kv_heads", dim="head_dim", words="vocab_size")),
            ("llama-3.2-1b", "TRAINED", dict(num_hidden_layers="layers", hidden_size="hidden_size",
             intermediate_size="ffn_hidden_size", num_attention_heads="attention_heads", num_key_value_heads="kv_heads",
             head_dim="head_dim", vocab_size="vocab_size", tie_word_embeddings="tied_embeddings")),
        ):  # fmt: skip
            catalog = json.loads((sources / f"core/catalog/data/models/{model}.json").read_text(encoding="utf-8"))
            shape = eval(text.split(f"\n{name} = ")[1].split(")")[0] + ")")
            self.assertEqual({key: shape[key] for key in keys}, {key: catalog[of] for key, of in keys.items()})


def failed(run):
    """The checks that did not hold."""
    return [line.split(":")[0].split(None, 1)[1] for line in run.stdout.splitlines() if line.startswith("FAILS")]


class Parts(Folder):
    def run_parts(self, *words, fake="", backend="fake", train_s=0.15):
        reference = self.folder / "reference.py"
        reference.write_text(REFERENCE, encoding="utf-8")
        told = {**os.environ, "PODWRIGHT_FAKE": fake, "TRAIN_S": str(train_s)}
        return subprocess.run(
            [sys.executable, sources / "native/package/gpu_evidence.py", *words, "--backend", backend, "--brief", "--program",
             podwright, "--reference", reference, "-o", self.folder / "evidence"],
            capture_output=True, encoding="utf-8", env=told,
        )  # fmt: skip

    def test_a_healthy_gpu_gives_a_folder_of_evidence(self):
        run = self.run_parts()
        # Scripted devices are no machine: nothing of them is judged, and plans take nothing.
        self.assertEqual((run.returncode, failed(run)), (1, ["verdicts", "calibration"]), run.stdout + run.stderr)
        folder = self.folder / "evidence/h100-sxm5-80gb"
        evidence = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
        self.assertEqual(list(evidence["parts"]), ["A", "B", "C"])
        names = {one["check"] for part in evidence["parts"].values() for one in part["checks"]}
        self.assertLessEqual(
            {"quick1", "quick2", "cuBLASLt", "standard", "copies >= 97 %", "two runs agree", "verdicts", "calibration",
             "decode step, catalog", "train step, catalog"}, names,
        )  # fmt: skip
        left_out = " ".join(evidence["parts"]["A"]["left_out"])
        self.assertIn("compute-sanitizer", left_out)
        self.assertIn("products: none here", left_out)
        # A brief run cannot be a reference, and says so.
        self.assertIn("reference rates: ", " ".join(evidence["parts"]["C"]["left_out"]))
        for name in ("A.txt", "B.txt", "C.txt", "quick1.json", "standard.json", "serving_8b.catalog.json", "fits.txt"):
            self.assertTrue((folder / name).is_file(), name)
        # Each profile is the form to be shared, and whole.
        for name in ("quick1", "quick2", "standard"):
            profile = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            self.assertEqual((profile["host"], "arguments" in profile["run"]), ({}, False))
        self.assertEqual(json.loads((folder / "verify.json").read_text(encoding="utf-8"))["complete"], True)

    def test_what_does_not_hold_gives_1_and_its_line(self):
        # Memory at half its rate, and a step that takes longer than predicted.
        self.assertEqual(self.run_parts("A", fake="slow=2@hbm*").returncode, 0)
        run = self.run_parts("C", train_s=3)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertLessEqual({"verdicts", "train step, catalog"}, set(failed(run)), run.stdout)

    def test_a_fault_fails_and_the_rest_goes_on(self):
        run = self.run_parts("B", fake="wrong@hbm.read")
        self.assertEqual(run.returncode, 1)
        self.assertIn("FAILS     standard: ", run.stdout)
        self.assertIn("wrong: hbm.read", run.stdout)

    def test_without_a_gpu_nothing_is_written(self):
        run = self.run_parts("A", fake="no_driver")
        self.assertEqual((run.returncode, (self.folder / "evidence").exists()), (3, False))
        self.assertIn("no GPU can be measured", run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
