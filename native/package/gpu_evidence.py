#!/usr/bin/env python3
"""Runs what needs a GPU and keeps what it showed. The host needs one NVIDIA GPU with its driver and Python, nothing else.

    gpu_evidence.py [A|B|C] [-o FOLDER] [--program PODWRIGHT_GPU]

    A  quick probe with two seeds, copies and PyTorch's kernels, memcheck
    B  standard probe, in it the best of 64 algorithms of cuBLASLt
    C  a decode step and a training step by PyTorch, verdicts, calibration, reference rates, three plans

Without a letter all three, one after the other. Each part ends by itself within nine minutes, all three within 25; what
takes longer than its share is ended in order, and what it measured until then stays. Results, tables and evidence.json are
in FOLDER/<gpu>, where no file names the host. What cannot run here (PyTorch, compute-sanitizer) is named and left out.

Exit status: 0 all checks hold, 1 one does not (its line begins with FAILS), 2 wrong usage, 3 no GPU can be measured, and
nothing is written.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from gpu_comparisons import Tables

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent  # of the checkout, or of the archive
REQUESTS = ("serving_8b", "training_1b", "plan_8b")

# The most seconds that each step may take, the time to end it included.
STEPS = {
    "A": {"machine": 30, "nvidia-smi": 10, "quick1": 105, "kernels": 100, "quick2": 105, "memcheck": 65},
    "B": {"machine": 25, "standard": 510},
    "C": {"machine": 30, "decode": 120, "train": 180, "verify": 15, "fits": 15, "calibrate": 15, "reference": 15}
    | {f"{request}.{step}": 10 for request in REQUESTS for step in ("catalog", "calibrated", "verify")},
}
TABLES_S = 5
GRACE_S = 15  # from the signal of Ctrl-C to the end


def most_seconds(part):
    return sum(STEPS[part].values()) + TABLES_S


def program_beside():
    """podwright-gpu of the archive, or of the checkout."""
    places = [root / "bin/podwright-gpu", root / "build/native/podwright-gpu"]
    return next((place for place in places if place.is_file()), places[0])


def folder_of_evidence():
    checkout = (root / "tests/native").is_dir()
    return root / "tests/native/evidence" if checkout else pathlib.Path("evidence")


def without_names(text):
    """What programs print, without what names the host or its user."""
    text = re.sub(r"\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b", "(uuid)", text)
    for name, word in ((str(pathlib.Path.home()), "(home)"), (socket.gethostname(), "(host)")):
        # A host may be called h100, and h100-sxm5-80gb is none.
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", word, text) if len(name) > 1 else text
    return text


def wait_for(child, seconds):
    """Its exit code; one that takes longer is asked to end as by Ctrl-C, and killed where it does not."""
    grace = min(GRACE_S, seconds / 3)
    try:
        return child.wait(seconds - grace)
    except (subprocess.TimeoutExpired, KeyboardInterrupt) as ended:
        child.send_signal(signal.SIGINT)
        try:
            code = child.wait(grace)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            code = child.wait()
        if isinstance(ended, KeyboardInterrupt):
            raise
        return code


class Visit:
    """One part on one host: its steps, and where their files are."""

    def __init__(self, given, part):
        self.given, self.part = given, part
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="gpu_evidence_"))
        self.folder = None
        self.steps, self.left_out = {}, []

    def run(self, step, *command, seconds=None):
        """Runs one step in the folder of evidence and keeps both outputs in the work folder. Its exit code."""
        seconds = seconds or STEPS[self.part][step]
        print(f"{self.part} {step}: at most {seconds} s", file=sys.stderr, flush=True)
        start = time.monotonic()
        # Libraries of NVIDIA may lie in this Python's environment alone.
        known = {"VIRTUAL_ENV": sys.prefix} | os.environ
        with open(self.work / f"{step}.out", "wb") as out, open(self.work / f"{step}.err", "wb") as err:
            child = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=self.folder,
                start_new_session=True, env=known,
            )  # fmt: skip
            code = wait_for(child, seconds)
        self.steps[step] = {"exit_code": code, "seconds": round(time.monotonic() - start, 1)}
        return code

    def output(self, step, stream="out"):
        return without_names((self.work / f"{step}.{stream}").read_text(encoding="utf-8", errors="replace"))

    def leave_out(self, step, why):
        self.left_out.append(f"{step}: {why}")

    def why(self, step):
        """The last line that a step wrote, for one that failed."""
        words = (self.output(step, "err").strip() or self.output(step).strip()).splitlines()
        return words[-1] if words else f"ended with {self.steps[step]['exit_code']}"

    def keep(self, step, name):
        (self.folder / name).write_text(self.output(step), encoding="utf-8")

    def probe(self, step, *options):
        """Measures, and returns the profile in the form to be shared; None where none came."""
        whole = self.work / f"{step}.json"
        if self.folder is not None:
            (self.folder / f"{step}.json").unlink(missing_ok=True)  # of an earlier visit
        words = ["probe", "--backend", self.given.backend, "--device", 0, "--allow-busy", *options]
        self.run(step, self.given.program, *words, "--json", "--share", "-o", whole)
        text = (self.work / f"{step}.out").read_bytes()
        try:
            profile = json.loads(text)
        except ValueError:
            if whole.exists():  # killed: the file to be shared did not come
                kept = pathlib.Path(tempfile.gettempdir()) / f"gpu_evidence_{step}.json"
                shutil.copy(whole, kept)
                self.leave_out(step, f"was killed; {kept} holds what it measured, with addresses and samples")
            return None
        if self.folder is not None:
            (self.folder / f"{step}.json").write_bytes(text)
        return profile

    def reference(self, step):
        """What PyTorch reaches, line by line, so that one that was ended leaves what it has."""
        code = self.run(step, sys.executable, self.given.reference, step)
        self.keep(step, f"{step}.jsonl")
        if code != 0:
            self.leave_out(step, self.why(step))
        for line in self.output(step).splitlines():
            if line.startswith("{") and "error" in (one := json.loads(line)):
                self.leave_out(step, f"{one['left_out']}: {one['error']}")

    def machine(self):
        """Which GPU this is; ends everything with 3 where it cannot be measured."""
        profile = self.probe("machine", "--quick", "--only", "launch.stream")
        if not profile or not profile.get("devices"):
            print(f"gpu_evidence: no GPU can be measured: {self.why('machine')}", file=sys.stderr)
            sys.exit(3)
        device = profile["devices"][0]
        name = device.get("key") or re.sub(r"[^a-z0-9]+", "-", device.get("name", "gpu").lower()).strip("-")
        self.folder = (self.given.output / name).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        return profile

    # ---- the three parts ----------------------------------------------------------------------------------------------

    def part_a(self, _):
        if shutil.which("nvidia-smi") and self.given.backend == "cuda":
            facts = "name,driver_version,memory.total,power.limit,clocks.max.sm,clocks.max.mem,compute_cap"
            self.run("nvidia-smi", "nvidia-smi", f"--query-gpu={facts}", "--format=csv")
            self.keep("nvidia-smi", "nvidia-smi.csv")
        self.probe("quick1", "--quick", "--seed", 1)
        self.reference("kernels")
        self.probe("quick2", "--quick", "--seed", 2)
        self.memcheck()

    def memcheck(self):
        """Own kernels under compute-sanitizer: each address that they touch."""
        if self.given.backend != "cuda" or not shutil.which("compute-sanitizer"):
            return self.leave_out("memcheck", "there is no compute-sanitizer")
        own = "layer.norm_act,decode.step,hbm.gather,l2.read"
        code = self.run(
            "memcheck", "compute-sanitizer", "--tool", "memcheck", "--target-processes", "all", self.given.program, "probe",
            "--backend", "cuda", "--device", 0, "--standard", "--allow-busy", "--budget", 4, "--watchdog", 30, "--only", own,
        )  # fmt: skip
        self.keep("memcheck", "memcheck.txt")
        if code < 0 or "ERROR SUMMARY" not in self.output("memcheck"):
            self.leave_out("memcheck", "did not end in time")

    def part_b(self, _):
        mode = ["--quick"] if self.given.brief else ["--standard", "--budget", 450]
        self.probe("standard", *mode, "--seed", 3)

    def part_c(self, machine):
        for step in ("decode", "train"):
            self.reference(step)
        profile = next((name for name in ("standard.json", "quick1.json") if (self.folder / name).exists()), None)
        if profile is None:
            return self.leave_out("verdicts, calibration, plans", "run part A or B first: there is no profile")
        podwright = self.given.program
        for step, words in (("verify", ["verify", profile, "--json"]), ("fits", ["calibrate", profile])):
            self.run(step, podwright, *words)
            self.keep(step, {"verify": "verify.json", "fits": "fits.txt"}[step])
        (self.folder / "calibration.json").unlink(missing_ok=True)
        self.run("calibrate", podwright, "calibrate", profile, "-o", "calibration.json")
        calibrated = (self.folder / "calibration.json").exists()
        if not calibrated:
            self.leave_out("calibrated plans", self.why("calibrate"))
        self.reference_rates(profile)
        key = machine["devices"][0].get("key")
        if not key:
            return self.leave_out("plans", "the catalog does not know this GPU")
        for request in REQUESTS:
            self.plans(request, key, profile, calibrated)

    def reference_rates(self, profile):
        """The table that makes this GPU one to hold others against, or why it cannot be one."""
        table = self.folder / "reference_rates.csv"
        table.unlink(missing_ok=True)
        self.run("reference", self.given.program, "calibrate", profile, "--reference", "-o", table.name)
        if not table.exists():
            self.leave_out("reference rates", " ".join(self.output("reference", "err").split()))

    def plans(self, request, key, profile, calibrated):
        """One request for this GPU: by the catalog, by its own rates, and whether it keeps what the plan assumes."""
        asked = json.loads((here / f"requests/{request}.json").read_text(encoding="utf-8"))
        if "gpu" in asked:
            asked["gpu"] = key
        else:
            asked["constraints"]["gpus"] = [key]
        (self.folder / f"{request}.json").write_text(json.dumps(asked) + "\n", encoding="utf-8")
        verb = "plan" if asked["kind"] == "plan" else "estimate"
        ways = {"catalog": []} | ({"calibrated": ["--calibration", "calibration.json"]} if calibrated else {})
        for way, options in ways.items():
            self.run(f"{request}.{way}", self.given.program, verb, f"{request}.json", "--json", *options)
            self.keep(f"{request}.{way}", f"{request}.{way}.json")
        self.run(f"{request}.verify", self.given.program, "verify", f"{request}.json", profile)
        self.keep(f"{request}.verify", f"{request}.verify.txt")

    # ---- what came of it ----------------------------------------------------------------------------------------------

    def write(self, machine, tables):
        device, path = machine["devices"][0], self.folder / "evidence.json"
        evidence = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        evidence["device"] = {key: device[key] for key in ("name", "key", "key_match") if key in device}
        evidence["tool"] = machine["tool"]
        evidence["environment"] = {k: v for k, v in machine["environment"].items() if isinstance(v, str)}
        evidence.setdefault("parts", {})[self.part] = {
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
            "steps": self.steps,
            "left_out": self.left_out,
            "checks": tables.checks,
        }
        path.write_text(json.dumps(evidence, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        (self.folder / f"{self.part}.txt").write_text(tables.text(), encoding="utf-8")
        print(tables.text(), end="")
        print(f"wrote {self.folder}", flush=True)


def run_part(given, part):
    """False when a check does not hold."""
    visit = Visit(given, part)
    try:
        machine = visit.machine()
        try:
            getattr(visit, f"part_{part.lower()}")(machine)
        finally:  # also of a part that was ended by hand
            tables = Tables(visit.folder, visit.steps, visit.left_out)
            tables.of_part(part)
            visit.write(machine, tables)
    finally:
        shutil.rmtree(visit.work)
    return not tables.failed()


def main():
    about, usage, details = __doc__.split("\n\n", 2)
    options = argparse.ArgumentParser(
        usage=usage.strip(), description=f"{about}\n\n{details}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("part", nargs="?", choices=list(STEPS), help="one of the three")
    place, program = folder_of_evidence(), program_beside()
    options.add_argument("-o", "--output", type=pathlib.Path, metavar="FOLDER", default=place, help=f"instead of {place}")
    options.add_argument("--program", type=pathlib.Path, metavar="FILE", default=program, help=f"instead of {program}")
    # For tests without a GPU: scripted devices, a stand-in for PyTorch's part, and a quick run for the standard one.
    options.add_argument("--backend", default="cuda", help=argparse.SUPPRESS)
    options.add_argument("--reference", type=pathlib.Path, default=here / "gpu_reference.py", help=argparse.SUPPRESS)
    options.add_argument("--brief", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if not given.program.is_file():
        print(f"gpu_evidence: there is no {given.program}", file=sys.stderr)
        sys.exit(3)
    given.program = given.program.resolve()
    given.reference = given.reference.resolve()
    held = [run_part(given, part) for part in ([given.part] if given.part else STEPS)]
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
