"""Runs what needs a GPU and keeps what it showed.

    gpu_evidence.py PODWRIGHT FOLDER

Writes FOLDER/<gpu>/evidence.json with date, driver and versions, and the profiles beside it. Ends with 0 when every check
held, 1 when one did not, 3 without a GPU (nothing is written then).

A  every probe verifies its output
B  zeros are not slower than random data
C  sustained is not faster than burst
D  two runs: nine of ten medians inside each other's intervals
E  a second load shows as noisy_neighbour
F  held-out products against the fit of the others
"""

import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
work = pathlib.Path(tempfile.mkdtemp(prefix="podwright_evidence_"))


def probe(name, *options):
    path = work / f"{name}.json"
    ended = subprocess.run([program, "probe", "--backend", "cuda", "-o", str(path), *options], capture_output=True, encoding="utf-8")
    if ended.returncode == 3:
        print(ended.stderr.strip() or "no GPU can be measured")
        sys.exit(3)
    return json.loads(path.read_text(encoding="utf-8")), ended.returncode


def place(result):
    return json.dumps([result["probe"], result.get("size"), result.get("dtype"), result.get("mode"), result.get("devices")])


def measured(profile):
    return {place(result): result for result in profile["results"] if result.get("time_s")}


def median(result):
    return result["time_s"]["median"]


def flags(result):
    return [flag if isinstance(flag, str) else flag.get("flag", flag.get("kind", "")) for flag in result.get("flags", [])]


checks = {}


def check(name, held, **facts):
    checks[name] = {"held": bool(held), **facts}
    print(f"{name}  {'holds' if held else 'FAILS'}  {facts}")


standard, code = probe("standard", "--standard")
wrong = [result["probe"] for result in standard["results"] if result.get("check", {}).get("status") == "fail"]
check("A", not wrong and code in (0, 1), exit_code=code, wrong=wrong, results=len(measured(standard)))

sizes = [(r, r["probe"].removesuffix(".zeros")) for r in standard["results"] if r["probe"].endswith(".zeros") and r.get("time_s")]
ratios = []
for zeros, base in sizes:
    for result in measured(standard).values():
        if result["probe"] == base and result["size"] == zeros["size"] and result.get("mode", "burst") == "burst":
            ratios.append(median(result) / median(zeros))
check("B", ratios and min(ratios) >= 0.99, random_over_zeros=ratios)

slower = {}
for result in measured(standard).values():
    if result.get("mode") == "sustained":
        for burst in measured(standard).values():
            if burst["probe"] == result["probe"] and burst["size"] == result["size"] and burst.get("mode", "burst") == "burst":
                slower[result["probe"]] = median(result) / median(burst)
check("C", slower and min(slower.values()) >= 0.99, sustained_over_burst=slower)

first, _ = probe("first", "--quick", "--seed", "1")
second, _ = probe("second", "--quick", "--seed", "2")
inside = []
for key, one in measured(first).items():
    two = measured(second).get(key)
    if two and "lo95" in one["time_s"] and "lo95" in two["time_s"]:
        inside.append(two["time_s"]["lo95"] <= median(one) <= two["time_s"]["hi95"] or one["time_s"]["lo95"] <= median(two) <= one["time_s"]["hi95"])
check("D", inside and statistics.mean(inside) >= 0.9, share=statistics.mean(inside) if inside else None, results=len(inside))

load = subprocess.Popen([program, "probe", "--backend", "cuda", "--standard", "--only", "gemm.bf16", "--allow-busy"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    disturbed, _ = probe("disturbed", "--quick", "--allow-busy", "--only", "gemm,hbm")
finally:
    load.terminate()
    load.wait()
noisy = sum("noisy_neighbour" in flags(result) for result in measured(disturbed).values())
check("E", noisy > 0, flagged=noisy, results=len(measured(disturbed)))

ended = subprocess.run([program, "calibrate", str(work / "standard.json")], capture_output=True, encoding="utf-8")
if ended.returncode == 3:
    checks["F"] = {"held": None, "not_run": "this version fits no profiles"}
    print("F  not run: this version fits no profiles")
else:
    check("F", ended.returncode == 0, exit_code=ended.returncode, report=ended.stdout[-4000:])

device = standard["devices"][0]
name = device.get("key") or "".join(c if c.isalnum() else "-" for c in device.get("name", "gpu").lower())
target = folder / name
target.mkdir(parents=True, exist_ok=True)
for path in work.glob("*.json"):
    (target / path.name).write_bytes(path.read_bytes())
evidence = {
    "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
    "device": device.get("name"),
    "environment": {key: value for key, value in standard.get("environment", standard.get("env", {})).items() if isinstance(value, str)},
    "tool": standard.get("tool"),
    "checks": checks,
}
(target / "evidence.json").write_text(json.dumps(evidence, indent=1) + "\n", encoding="utf-8")
print(f"wrote {target}")
sys.exit(0 if all(one["held"] is not False for one in checks.values()) else 1)
