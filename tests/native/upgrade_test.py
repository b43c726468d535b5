"""Files that version 0.1.0 wrote or read are read as docs/formats.md says.

    upgrade_test.py SOURCES PODWRIGHT
"""

import json
import pathlib
import subprocess
import sys
import unittest

podwright = pathlib.Path(sys.argv.pop(2)).resolve()
files = pathlib.Path(sys.argv.pop(1)).resolve() / "tests/upgrade"
REQUEST = {
    "kind": "plan",
    "workloads": [{"name": "chat", "type": "serving", "model": "llama-3.1-70b", "peak_requests_per_s": 10,
                   "input_tokens": 1000, "output_tokens": 200}],
    "constraints": {"gpus": ["h100-sxm5-80gb"], "ownership": "dgx"},
    "economics": {"region": "FRA"},
}  # fmt: skip


def run(*words, **more):
    return subprocess.run([podwright, *words], capture_output=True, encoding="utf-8", **more)


class Upgrade(unittest.TestCase):
    def plan(self, *words):
        done = run("plan", "-", "--json", *words, input=json.dumps(REQUEST))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_a_profile_is_judged_and_calibrates(self):
        done = run("verify", files / "profile.json", "--json")
        verdict = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1, done.stderr)  # one of its GPUs is slow
        self.assertEqual([device["gpu"] for device in verdict["devices"]], ["h100-sxm5-80gb"] * 2)
        calibrated = run("calibrate", files / "profile.json")
        self.assertEqual(calibrated.returncode, 0, calibrated.stderr)
        self.assertIn("gemm.bf16", calibrated.stdout)

    def test_facts_of_an_overlay_stand_above_the_catalogs(self):
        # A GPU as it was, and an own price of electricity.
        words = ("--catalog", files / "catalog")
        self.assertEqual(run("catalog", "check", *words).returncode, 0)
        self.assertNotIn("gpu_power_w", run("catalog", "show", "gpu", "gh200-96gb", "--json", *words).stdout)
        now, then = (answer["plans"][0]["cost"]["on_premises"] for answer in (self.plan(), self.plan(*words)))
        self.assertEqual(now["capex_usd"], then["capex_usd"])
        self.assertGreater(now["annual_opex_usd"], then["annual_opex_usd"])

    def test_a_table_with_columns_that_are_gone_is_refused_by_name(self):
        done = run("plan", "-", "--catalog", files / "refused", input=json.dumps(REQUEST))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn('prices_cloud.csv:1: The table lacks the columns "country", "segment", ', done.stderr)
        self.assertIn('prices_cloud.csv:1: Not known: the columns "vcpus", "ram_gb", "interconnect".', done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
