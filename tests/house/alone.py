"""Checks that each source can be compiled by itself, as headers are read that it names itself: builds compile several at once.

    alone.py ROOT [FILE...]     all sources of core, native, wasm and tests, or those that are named
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
# Compiled for other machines, or with options of their own.
ELSEWHERE = ("native/probes/cuda/", "tests/native/cuda/", "wasm/")
OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-march=native"]
FOLDERS = ["-Icore", "-Inative", "-Itests", "-Ibuild/native/generated"]
DEFINITIONS = ['-DPODWRIGHT_VERSION=""', '-DPODWRIGHT_PROGRAM=""', '-DPODWRIGHT_STAND_IN_BLAS=""', '-DPODWRIGHT_STAND_IN_NCCL=""', '-DPODWRIGHT_EXAMPLES=""']


def problem_of(source):
    run = subprocess.run(["clang++", *OPTIONS, *FOLDERS, *DEFINITIONS, source], cwd=root, capture_output=True, text=True)
    return "" if run.returncode == 0 else run.stderr


named = sys.argv[2:] or subprocess.run(
    ["git", "ls-files", "core", "native", "tests"], cwd=root, capture_output=True, text=True, check=True
).stdout.split("\n")
sources = [name for name in named if name.endswith(".cc") and not name.startswith(ELSEWHERE) and (root / name).is_file()]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    problems = [problem for problem in pool.map(problem_of, sources) if problem]
print("\n".join(problems))
print(f"{len(sources) - len(problems)} passed, {len(problems)} failed")
sys.exit(bool(problems))
