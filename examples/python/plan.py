#!/usr/bin/env python3
"""How the cost of a chat service grows with its load: one plan for each rate, asked of the command `podwright`.

    python3 examples/python/plan.py

The cells (# %%) run one by one in editors that know them, or in a notebook.
"""

# %%
import json
import pathlib
import subprocess

examples = pathlib.Path(__file__).resolve().parent.parent


def ask(command, request):
    """The answer to a request; a request with errors in it raises them, each with its place."""
    run = subprocess.run(
        ["podwright", command, "-", "--json"], input=json.dumps(request), capture_output=True, encoding="utf-8"
    )
    answer = json.loads(run.stdout)
    if "errors" in answer:
        raise ValueError("\n".join(f"{one['path']}: {one['message']}" for one in answer["errors"]))
    return answer


# %%
request = json.loads((examples / "chat_70b.json").read_text(encoding="utf-8"))
rows = []
for rate in (10, 30, 100):
    workload = request["workloads"][0] | {"peak_requests_per_s": rate, "mean_requests_per_s": 0.6 * rate}
    answer = ask("plan", request | {"workloads": [workload]})
    if answer["feasible"]:
        best = answer["plans"][0]
        numbers = {one["id"]: one["value"]["text"] for one in best["headlines"]}
        rows.append((rate, f"{best['gpu_count']} x {best['gpu_name']}", numbers.get("cost_per_year", "not known")))
    else:
        rows.append((rate, answer["rejected"][0]["message"], ""))

# %%
print(f"{'requests/s':>10}  {'hardware':32}  cost per year")
for rate, hardware, cost in rows:
    print(f"{rate:>10}  {hardware:32}  {cost}")
