"""What a folder of gpu_evidence.py shows: tables at the end of each part, and the checks that must hold."""

import json
import pathlib

LEAST_SHARE = 0.97  # of the best algorithm of cuBLASLt, and of cudaMemcpy
# Sampling ends at such a half width (docs/method/probes.md, Stop): no interval is taken for narrower.
TARGET, LATENCY_TARGET = 0.01, 0.03
LATENCIES = ("launch.", "lat.", "host.", "pcie.lat")
# Two runs of which fewer agree differ by more than 95 % intervals let expect.
LEAST_AGREEING = 0.95
COPIES = ("pcie.", "hbm.copy", "hbm.d2d")


def sizes(result):
    return " ".join(f"{key} {value:.0f}" for key, value in result.get("size", {}).items())


def place(result):
    """What makes two results comparable."""
    size = json.dumps(result.get("size", {}), sort_keys=True)
    return result["probe"], size, result.get("dtype", ""), result.get("mode", "burst")


def measured(profile):
    return {place(one): one for one in (profile or {}).get("results", []) if one.get("time_s")}


def interval(result):
    """95 % of the median's, and no narrower than what sampling aims at. None where the samples bound nothing."""
    time = result["time_s"]
    if "lo95" not in time or "hi95" not in time:
        return None
    half = time["median"] * (LATENCY_TARGET if result["probe"].startswith(LATENCIES) else TARGET)
    return min(time["lo95"], time["median"] - half), max(time["hi95"], time["median"] + half)


def same_work(limit, key, result):
    """`limit` is the place of a result, or a line of PyTorch's, which gives the sizes that it knows."""
    if isinstance(limit, tuple):
        return limit == key
    probe, _, dtype, mode = key
    size = result.get("size", {})
    return (
        (probe, mode) == (limit["probe"], "burst")
        and limit.get("dtype", dtype) == dtype
        and all(size.get(name) == value for name, value in limit["size"].items())
    )


def us(seconds):
    return f"{seconds * 1e6:11.2f} us"


class Tables:
    def __init__(self, folder, steps, left_out):
        self.folder, self.steps, self.left_out = pathlib.Path(folder), steps, left_out
        self.checks, self.lines = [], []

    # ---- what there is ------------------------------------------------------------------------------------------------

    def read(self, name):
        try:
            return json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def lines_of(self, name):
        path = self.folder / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]

    def say(self, line=""):
        self.lines.append(line)

    def check(self, name, held, sentence):
        self.checks.append({"check": name, "held": bool(held), "sentence": sentence})
        self.say(f"{'holds' if held else 'FAILS'}     {name}: {sentence}")

    def failed(self):
        return [one for one in self.checks if not one["held"]]

    def text(self):
        return "\n".join(self.lines) + "\n"

    def of_part(self, part):
        self.say(f"Part {part}")
        if part == "A":
            self.run_is_whole("quick1")
            self.run_is_whole("quick2")
            self.library_is_there()
            self.against_limits(measured(self.read("quick1.json")), copies=self.of_pytorch())
            self.runs_agree()
            self.memcheck()
        elif part == "B":
            self.run_is_whole("standard")
            results = measured(self.read("standard.json"))
            self.against_limits(results, products=self.best_products(results), copies=self.of_pytorch())
        else:
            self.verdicts()
            self.calibration()
            self.predictions()
            self.plans()
        for one in self.left_out:
            self.say(f"left out  {one}")
        seconds = sum(step["seconds"] for step in self.steps.values())
        self.say(f"{len(self.failed())} of {len(self.checks)} checks fail; {seconds:.0f} s")

    # ---- runs of the probe --------------------------------------------------------------------------------------------

    def run_is_whole(self, name):
        profile = self.read(f"{name}.json") if name in self.steps else None
        if profile is None:
            return self.check(name, False, "no profile came")
        device, results = profile["devices"][0], profile.get("results", [])
        code = self.steps[name]["exit_code"]
        wrong = [f"{one['probe']} {sizes(one)}" for one in results if one.get("check", {}).get("status") == "fail"]
        flags, skips = {}, {}
        for one in results:
            for flag in one.get("flags", []):
                flags[flag["kind"]] = flags.get(flag["kind"], 0) + 1
            if "skip" in one:
                skip = f"{one['probe']} ({one['skip']['reason']})"
                skips[skip] = skips.get(skip, 0) + 1
        key = device.get("key", "not in the catalog")
        self.say(f"{name}: {device.get('name')}, {key} ({device.get('key_match', 'none')})")
        self.say(f"  flags     {', '.join(f'{count} {flag}' for flag, count in sorted(flags.items())) or 'none'}")
        self.say(f"  skipped   {', '.join(f'{count} {skip}' for skip, count in sorted(skips.items())) or 'none'}")
        for limit in profile.get("limits", []):
            self.say(f"  limit     {limit}")
        sentence = f"{len(measured(profile))} results in {profile['run'].get('duration_s', 0):.0f} s, exit code {code}"
        if wrong:
            sentence += f", wrong: {', '.join(wrong)}"
        if not profile["run"].get("complete"):
            sentence += ", unfinished"
        # A low verdict (1) is judged in part C.
        self.check(name, code in (0, 1) and not wrong and profile["run"].get("complete"), sentence)

    def library_is_there(self):
        """Without cuBLASLt nothing is said about products, which is most of a GPU."""
        version = ((self.read("quick1.json") or {}).get("environment") or {}).get("cublaslt")
        self.check("cuBLASLt", version, f"version {version}" if version else "libcublasLt was not found")

    @staticmethod
    def best_products(results):
        """The fastest of up to 64 algorithms of cuBLASLt: for which work, in what time, by whom, and whether a limit."""
        return [
            ((probe.removesuffix(".best"), *rest), one["time_s"]["median"], "best of cuBLASLt", True)
            for (probe, *rest), one in results.items()
            if probe.endswith(".best")
        ]

    def of_pytorch(self):
        """The same of what PyTorch calls: its copies are the vendor's, the rest is shown."""
        found = []
        for line in self.lines_of("kernels.jsonl"):
            if "probe" not in line:
                continue
            copy = line["probe"].startswith(COPIES)
            found.append((line, line["time_s"], "cudaMemcpy" if copy else f"PyTorch {line.get('by', '')}", copy))
        return found

    def against_limits(self, results, **limits_of):
        """Time of the limit over time of the probe, for each kind: what is a limit must be come near, the rest is shown."""
        for kind, limits in limits_of.items():
            judged = []
            for at, limit, by, is_limit in limits:
                for key, one in results.items():
                    if not same_work(at, key, one):
                        continue
                    share = limit / one["time_s"]["median"]
                    row = f"{one['probe']} {sizes(one)}"
                    self.say(
                        f"  {row:48} {us(one['time_s']['median'])}  {by:20} {us(limit)} {100 * share:6.1f} %"
                        f"{'  too slow' if is_limit and share < LEAST_SHARE else ''}"
                    )
                    if is_limit:
                        judged.append((share, row))
            if not judged:
                self.left_out.append(f"{kind} compared with their limit: no limit was measured at a size of this run")
                continue
            lowest, row = min(judged)
            sentence = f"at least {100 * lowest:.1f} % of the limit in {len(judged)} comparisons ({row})"
            self.check(f"{kind} >= {100 * LEAST_SHARE:.0f} %", lowest >= LEAST_SHARE, sentence)

    def runs_agree(self):
        first, second = measured(self.read("quick1.json")), measured(self.read("quick2.json"))
        agreeing = compared = 0
        for key in first.keys() & second.keys():
            one, two = interval(first[key]), interval(second[key])
            if one is None or two is None:
                continue
            compared += 1
            if one[0] <= two[1] and two[0] <= one[1]:
                agreeing += 1
                continue
            ratio = second[key]["time_s"]["median"] / first[key]["time_s"]["median"]
            row = f"{first[key]['probe']} {sizes(first[key])}"
            self.say(f"  apart: {row}: the second run takes {100 * ratio:.1f} % of the first one's time")
        held = compared > 0 and agreeing >= LEAST_AGREEING * compared
        self.check("two runs agree", held, f"{agreeing} of {compared} results within their intervals")

    def memcheck(self):
        path = self.folder / "memcheck.txt"
        if "memcheck" not in self.steps or not path.exists():
            return
        summaries = [line for line in path.read_text(encoding="utf-8").splitlines() if "ERROR SUMMARY" in line]
        if summaries:
            clean = all("ERROR SUMMARY: 0 errors" in line for line in summaries)
            self.check("memcheck", clean, "; ".join(sorted({line.split("ERROR SUMMARY: ")[1] for line in summaries})))

    # ---- what follows from a profile ----------------------------------------------------------------------------------

    def verdicts(self):
        answer = self.read("verify.json") if "verify" in self.steps else None
        if answer is None or "verdicts" not in answer:
            return self.check("verdicts", False, "there are none")
        words = {}
        for one in answer["verdicts"]:
            words[one["verdict"]] = words.get(one["verdict"], 0) + 1
            self.say(f"  {one['verdict']:10} {one['sentence']}")
        for note in answer.get("notes", []):
            self.say(f"  note       {note}")
        code = self.steps["verify"]["exit_code"]
        counts = ", ".join(f"{count} {word}" for word, count in words.items()) or "none"
        # What cannot be believed is neither in order nor explained, though `verify` accuses nobody for it.
        self.check("verdicts", code == 0 and "invalid" not in words, f"{counts}, exit code {code}")

    def calibration(self):
        if "fits" not in self.steps:
            return
        text = (self.folder / "fits.txt").read_text(encoding="utf-8")
        self.lines += [f"  {line}" for line in text.splitlines()]
        code = self.steps["fits"]["exit_code"]
        self.check("calibration", code == 0, f"exit code {code}")

    def predictions(self):
        """The steps that PyTorch took, compared with their predictions, by the catalog and by the machine's own rates."""
        decode = [one["time_s"] for one in self.lines_of("decode.jsonl") if self.is_of_request(one)]
        train = [one["time_s"] for one in self.lines_of("train.jsonl") if one.get("step") == "train"]
        for step, times, request, part, figure in (
            ("decode", decode, "serving_8b", "latency", "tpot_s"),
            ("train", train, "training_1b", "step", "time_s"),
        ):
            for way in ("catalog", "calibrated"):
                name = f"{request}.{way}"
                answer = (self.read(f"{name}.json") if name in self.steps else None) or {}
                predicted = answer.get(part, {})
                low, high = predicted.get(f"{figure}_low"), predicted.get(f"{figure}_high")
                if step not in self.steps or not times or low is None or high is None:
                    missing = "no prediction" if low is None or high is None else "nothing measured"
                    self.left_out.append(f"{step} step compared with its prediction ({way}): {missing}")
                    continue
                # Compiled or not: a framework is as fast as its faster way.
                took = min(times)
                sentence = (
                    f"{took * 1e3:.2f} ms measured, {predicted[figure] * 1e3:.2f} ms predicted, "
                    f"90 % from {low * 1e3:.2f} to {high * 1e3:.2f} ms"
                )
                self.check(f"{step} step, {way}", low <= took <= high, sentence)

    def is_of_request(self, line):
        """The decode step with as many sequences as the request serves at once."""
        load = (self.read("serving_8b.json") or {}).get("load", {})
        return line.get("step") == "decode" and line["batch"] == load.get("concurrency")

    def plans(self):
        figures = {
            "serving_8b": lambda one: f"{one['latency']['tpot_s'] * 1e3:.2f} ms a token",
            "training_1b": lambda one: f"{one['step']['time_s'] * 1e3:.1f} ms a step",
            "plan_8b": lambda one: one["plans"][0]["summary"],
        }
        for request, figure in figures.items():
            if f"{request}.verify" not in self.steps:
                continue
            for way in ("catalog", "calibrated"):
                name = f"{request}.{way}"
                if name not in self.steps:
                    continue
                try:
                    told = figure(self.read(f"{name}.json"))
                except (KeyError, IndexError, TypeError):
                    told = f"no answer, exit code {self.steps[name]['exit_code']}"
                self.say(f"  {request:12} {way:11} {told}")
            code = self.steps[f"{request}.verify"]["exit_code"]
            words = {0: "this machine keeps what it assumes", 1: "this machine does not keep all that it assumes"}
            self.say(f"  {request:12} {'verify':11} {words.get(code, f'exit code {code}')}")
