"""What befalls a run of probes, and what is left of it: the code, the profile, the processes, the files.

    probe_faults_test.py PODWRIGHT STAND_IN_CLOCK
"""

import hashlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

podwright, clock = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:])
# The first group of probes ends and is kept; the second never says a word.
HANGS = "hang@hbm.triad"
PROBES = ["--only", "launch.stream,hbm.triad"]


def limited(size):
    """Runs in the child: no file may grow beyond this."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


# name: script of the devices, what happens when the first group is kept, code, is the profile finished.
BEFALLS = {
    "ctrl_c": (HANGS, lambda run: run.send_signal(signal.SIGINT), 4, False),
    "terminated": (HANGS, lambda run: run.send_signal(signal.SIGTERM), 4, False),
    "killed": (HANGS, lambda run: run.kill(), -signal.SIGKILL, False),
    "nothing": ("", lambda run: None, 0, True),
}

# name: what is different when the program starts, code, does the place hold a new profile, words of the error stream.
BEGINS = {
    "as_always": ({}, 0, True, ""),
    "no_home": ({"env": {}}, 0, True, ""),
    "no_space": ({"preexec_fn": limited(1000)}, 3, False, "cannot write"),
    "no_space_at_all": ({"preexec_fn": limited(0)}, 3, False, "cannot write"),
    "no_output": ({"stdout": subprocess.DEVNULL}, 0, True, ""),
    "wall_clock_jumps": ({"env": {"LD_PRELOAD": clock}}, 0, True, ""),
}

# Places that cannot be written are said before anything is measured.
PLACES = ["missing/profile.json", "file/profile.json", "folder", "/proc/podwright.json", "/dev/full"]


def state_of(process):
    """Letter of the state and number of the parent; None where it is gone."""
    try:
        words = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (OSError, IndexError):
        return None
    return words[0], int(words[1])


def workers_of(process):
    every = [int(one.name) for one in pathlib.Path("/proc").iterdir() if one.name.isdigit()]
    return [one for one in every if (state := state_of(one)) and state[1] == process and state[0] != "Z"]


def until(what):
    """The first value that is true; the limit only ends a test that failed."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if value := what():
            return value
        time.sleep(0.01)
    raise AssertionError("it never came")


class Faults(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.place = self.folder / "profile.json"

    def command(self, *more, output=None):
        return [podwright, "probe", "--backend", "fake", "--budget", "1", "-o", str(output or self.place), *PROBES, *more]

    def profile(self):
        """As it lies there, if its digest is right."""
        document = json.loads(self.place.read_text(encoding="utf-8"))
        verified = subprocess.run([podwright, "verify", self.place], capture_output=True, check=False)
        self.assertNotEqual(verified.returncode, 2, verified.stderr)
        return document

    def only_the_profile(self, *besides):
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), sorted(["profile.json", *besides]))

    def test_what_befalls_it(self):
        for name, (script, befall, code, complete) in BEFALLS.items():
            with self.subTest(name):
                self.place.unlink(missing_ok=True)
                run = subprocess.Popen(
                    self.command(), env={"PODWRIGHT_FAKE": script}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                until(self.place.exists)
                workers = until(lambda process=run: workers_of(process.pid)) if script else []
                befall(run)
                self.assertEqual(run.wait(120), code)
                until(lambda left=workers: all((state_of(one) or "Z")[0] == "Z" for one in left))
                profile = self.profile()
                self.assertEqual(profile["run"]["complete"], complete)
                self.assertIn("launch.stream", {one["probe"] for one in profile["results"]})
                self.only_the_profile()

    def test_a_killed_worker_is_a_fault_of_its_case_alone(self):
        run = subprocess.Popen(
            self.command(), env={"PODWRIGHT_FAKE": HANGS}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(self.place.exists)
        killed = set()
        while run.poll() is None:
            for worker in workers_of(run.pid):
                killed.add(worker)
                os.kill(worker, signal.SIGKILL)
            time.sleep(0.01)
        self.assertTrue(killed)
        self.assertEqual(run.returncode, 4)
        profile = self.profile()
        self.assertTrue(profile["run"]["complete"])
        skips = {one["skip"]["reason"] for one in profile["results"] if "skip" in one}
        self.assertEqual(skips, {"device_fault"})

    def test_how_it_begins(self):
        for name, (different, code, written, words) in BEGINS.items():
            with self.subTest(name):
                self.place.write_text("what was here", encoding="utf-8")
                run = subprocess.run(
                    self.command(), **{"env": {}, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **different}, check=False
                )
                self.assertEqual(run.returncode, code, run.stderr)
                self.assertIn(words, run.stderr.decode())
                if written:
                    self.assertTrue(self.profile()["run"]["complete"])
                    self.assertLess(self.profile()["run"]["duration_s"], 600)
                else:
                    self.assertEqual(self.place.read_text(encoding="utf-8"), "what was here")
                self.only_the_profile()

    def test_places_that_cannot_be_written(self):
        (self.folder / "file").write_text("", encoding="utf-8")
        (self.folder / "folder").mkdir()
        for place in PLACES:
            with self.subTest(place):
                run = subprocess.run(self.command(output=self.folder / place), capture_output=True, check=False, env={})
                self.assertEqual(run.returncode, 3, run.stderr)
                self.assertIn(b"cannot write", run.stderr)
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["file", "folder"])

    def test_a_reader_that_went_away_takes_nothing_from_the_profile(self):
        reads, writes = os.pipe()
        os.close(reads)
        run = subprocess.run(self.command(), stdout=writes, stderr=subprocess.PIPE, check=False, env={})
        os.close(writes)
        self.assertGreaterEqual(run.returncode, 0, "no signal ended it")
        self.assertTrue(self.profile()["run"]["complete"])

    def test_two_at_once_leave_one_whole_profile(self):
        seeds = ("1", "2")
        runs = [
            subprocess.Popen(self.command("--seed", seed), env={}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for seed in seeds
        ]
        seen = set()
        while any(run.poll() is None for run in runs):
            if self.place.exists():
                text = self.place.read_bytes()
                json.loads(text)  # whole at every moment
                seen.add(hashlib.sha256(text).hexdigest())
            time.sleep(0.001)
        self.assertEqual([run.returncode for run in runs], [0, 0])
        self.assertTrue(seen)
        self.assertIn(str(self.profile()["run"]["seed"]), seeds)
        self.only_the_profile()


class Inspection(unittest.TestCase):
    def test_the_table_of_beginnings_uses_the_clock_that_jumps(self):
        # Without this the row of the clock would pass where the loader did not find the library.
        program = "import time; print(abs(time.time() - time.time()) > 80000)"
        env = {**os.environ, "LD_PRELOAD": clock}
        self.assertEqual(subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, check=True).stdout, b"True\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
