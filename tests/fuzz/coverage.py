"""How much of each reader and writer the corpus runs through.

    coverage.py FUZZ_REPLAY FOLDER... [--page FILE]

FUZZ_REPLAY is built with coverage (preset `coverage`); the folders hold the corpus by target. Prints the lines of each file
that were run, and with --page writes the table into the page between its marks.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WANTED = 85  # per cent of the lines of a reader

# What reads texts that come from outside, and what writes them into files.
READERS = ["core/base/json_read.cc", "core/base/csv_read.cc", "core/base/object_reader.cc", "core/catalog/gguf_*.cc",
           "core/catalog/safetensors_file.cc", "core/catalog/weight_file.cc", "core/api/answer_model_file.cc",
           "core/catalog/huggingface*.cc", "core/catalog/huggingface/*.cc", "core/catalog/*_reader.cc",
           "core/catalog/read_*.cc", "core/catalog/item.cc", "core/catalog/inline_item.cc", "core/measure/import_*.cc",
           "core/measure/foreign_*.cc", "core/measure/nccl_rows.cc", "core/measure/megatron_log.cc",
           "core/measure/profile_file.cc", "core/measure/profile_merge.cc", "core/measure/rank_profiles.cc",
           "core/calibration/measured_*.cc", "core/replay/trace_file.cc", "core/api/quotes_request.cc",
           "core/api/host_calibration_text.cc", "core/api/field_reader.cc", "core/api/*_fields.cc", "native/cli/request_path.cc",
           "native/cli/request_flags.cc"]  # fmt: skip
WRITERS = ["core/export/*.cc", "core/base/json_write.cc"]


def tool(name):
    return shutil.which(f"{name}-14") or shutil.which(name) or sys.exit(f"{name} is not installed")


def lines_run(program, folders):
    """By file of the project: lines, and those that were run."""
    with tempfile.TemporaryDirectory() as place:
        raw, joined = f"{place}/raw", f"{place}/joined"
        subprocess.run([program, *folders], check=True, env={"LLVM_PROFILE_FILE": raw})
        subprocess.run([tool("llvm-profdata"), "merge", "-o", joined, raw], check=True)
        told = subprocess.run([tool("llvm-cov"), "export", "-summary-only", f"-instr-profile={joined}", program],
                              check=True, capture_output=True, encoding="utf-8").stdout  # fmt: skip
    found = {}
    for file in json.loads(told)["data"][0]["files"]:
        name = file["filename"].rpartition("./")[2]  # as compiled: ./build/coverage/./core, ./build/coverage/../../core
        found[name] = (file["summary"]["lines"]["count"], file["summary"]["lines"]["covered"])
    return found


def rows_of(patterns, found):
    paths = {str(path.relative_to(ROOT)) for pattern in patterns for path in ROOT.glob(pattern)}
    return [(path, *found[path]) for path in sorted(paths) if path in found and found[path][0] > 0]


def main():
    words = sys.argv[1:]
    page = pathlib.Path(words[words.index("--page") + 1]) if "--page" in words else None
    folders = words[1 : words.index("--page")] if page else words[1:]
    found = lines_run(words[0], folders)
    told = []
    for title, patterns in (("readers", READERS), ("writers", WRITERS)):
        rows = rows_of(patterns, found)
        low = [row for row in rows if 100 * row[2] < WANTED * row[1]]
        share = 100 * sum(row[2] for row in rows) / sum(row[1] for row in rows)
        print(f"{title}: {share:.1f} % of the lines of {len(rows)} files; {len(low)} files below {WANTED} %")
        for path, lines, run in rows:
            print(f"  {100 * run / lines:5.1f} %  {run:5} of {lines:5}  {path}{'  <' if (path, lines, run) in low else ''}")
        told.append(f"| {title} | {len(rows)} | {share:.1f} % | {len(rows) - len(low)} |")
    if page:
        table = f"| | files | lines run | files of at least {WANTED} % |\n|---|---:|---:|---:|\n" + "\n".join(told) + "\n"
        text = page.read_text(encoding="utf-8")
        mark = r"(<!-- coverage:begin[^>]*-->\n).*?(<!-- coverage:end -->)"
        page.write_text(re.sub(mark, lambda marks: marks[1] + table + marks[2], text, flags=re.S), encoding="utf-8")


main()
