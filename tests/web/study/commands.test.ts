/** Command labs: how a line is read and judged, what filters leave of an output, and what stays in the log. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commandFiles, readCommandLabs } from "../../../web/scripts/study_commands.ts";
import { readSources, sourcesNamed } from "../../../web/scripts/study_pack.ts";
import { codeParts } from "../../../web/src/study/commands/code_parts.ts";
import { completed } from "../../../web/src/study/commands/complete.ts";
import { filtered } from "../../../web/src/study/commands/filters.ts";
import { readCommand } from "../../../web/src/study/commands/grammar.ts";
import { stepBack, stepForth } from "../../../web/src/study/commands/history.ts";
import { judge } from "../../../web/src/study/commands/judge.ts";
import {
  type CommandLab,
  type CommandLabPack,
  commandLabAfter,
  commandOf,
  commandReview,
  isDone,
  isQuestion,
  runsOf,
} from "../../../web/src/study/commands/lab.ts";
import { choose, enter, isOver, kNewRun, type Run, repeated } from "../../../web/src/study/commands/run.ts";
import { readLine } from "../../../web/src/study/commands/shell.ts";
import { isLabCard } from "../../../web/src/study/labs.ts";
import { habits } from "../../../web/src/study/learner.ts";
import { faultsOf } from "../../../web/src/study/log.ts";
import { kNoon } from "./samples.ts";

const core = fileURLToPath(new URL("../../../core/", import.meta.url));
const { labs, tools } = readCommandLabs(`${core}study/data`);
const table = ["index, memory.used [MiB], name", "0, 10 MiB, H100", "1, 20 MiB, H100"];

/** One step for each kind of tool, and a lab of them. */
const lab: CommandLab = {
  id: "sample",
  title: "Sample",
  objective: "3.1",
  minutes: 5,
  setting: "",
  prompt: "ana@login1:~$",
  any: [
    { command: "hostname", output: ["login1"] },
    { command: "sinfo", output: ["PARTITION"], from: 2, to: 3 },
  ],
  sources: [],
  steps: [
    {
      task: "",
      accept: ["nvidia-smi --query-gpu=index,memory.used,name --format=csv"],
      output: table,
      keep: ["20 MiB"],
      why: "Why.",
      hint: "Hint.",
      near: [
        { command: "nvidia-smi", says: "Only a table.", output: ["table"] },
        { command: "nvidia-smi --query-compute-apps=... ...", says: "Processes." },
        { command: "free ...", says: "Not GPUs.", looks: true },
      ],
    },
    { task: "", accept: ["squeue -u ana", "squeue --me"], output: ["JOBID"], why: "Why.", hint: "Hint." },
    {
      task: "",
      accept: ["scontrol update nodename=dgx-01 state=drain reason='bad GPU'"],
      output: [],
      why: "Why.",
      hint: "Hint.",
      changes: true,
    },
    {
      question: "What?",
      options: [
        { text: "no", why: "It is not." },
        { text: "yes", right: true, why: "It is." },
      ],
    },
    {
      task: "",
      accept: ["kubectl get pods -n gpu-operator -o wide"],
      output: ["NAME READY", "web 1/1", "db 0/1"],
      why: "Why.",
      hint: "Hint.",
    },
    {
      task: "",
      accept: [`curl -k -u admin -X POST -d '{"ResetType": "On"}' https://bmc/redfish/v1`],
      output: ["ok"],
      why: "Why.",
      hint: "Hint.",
    },
    {
      task: "",
      accept: ["docker run --rm --gpus all ubuntu nvidia-smi -L"],
      output: ["GPU 0"],
      why: "Why.",
      hint: "Hint.",
    },
    { task: "", accept: ["ipmitool sdr type Temperature"], output: ["Inlet"], why: "Why.", hint: "Hint." },
    { task: "", accept: ["nvidia-smi mig -cgi 9,14 -C -i 0"], output: ["made"], why: "Why.", hint: "Hint." },
  ],
};

/** What a line does at a step counted from 1, in a word; for a difference, what differs. */
function does(at: number, line: string): string {
  const verdict = judge(tools, lab, at - 1, line);
  if (verdict.kind === "off") return `off: ${verdict.difference.kind}`;
  if (verdict.kind === "near") return `near: ${verdict.says}`;
  if (verdict.kind === "refused") return `refused: ${verdict.output[0]}`;
  if (verdict.kind === "unread") return `unread: ${verdict.unread}`;
  if (verdict.kind === "absent") return `absent: ${verdict.word}`;
  return verdict.kind;
}

const kQuery = "nvidia-smi --query-gpu=index,memory.used,name --format=csv";
const kBad = "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.";

/** A step, a line, and what it does there. */
const kLines: [number, string, string][] = [
  // Words and options in any order, with any spaces, short and long, attached or not.
  [1, kQuery, "accepted"],
  [1, `  sudo   ${kQuery}  `, "accepted"],
  [1, "nvidia-smi --format=csv --query-gpu=index,memory.used,name", "accepted"],
  [1, "nvidia-smi --query-gpu=name,index,memory.used --format=csv,noheader", "accepted"],
  [1, "nvidia-smi --query-gpu index,memory.used,name --format csv,nounits", "accepted"],
  [1, `nvidia-smi "--query-gpu=index,memory.used,name" --format='csv'`, "accepted"],
  [1, `${kQuery} # all of them`, "accepted"],
  [1, `${kQuery} 2>&1`, "accepted"],
  [2, "squeue -u ana", "accepted"],
  [2, "squeue -uana", "accepted"],
  [2, "squeue --user=ana", "accepted"],
  [2, "squeue --user ana", "accepted"],
  [2, "squeue --me", "accepted"],
  [2, "squeue -u $USER", "accepted"],
  [2, "SQUEUE_FORMAT=x squeue --me", "accepted"],
  [3, "scontrol update nodename=dgx-01 state=drain reason='bad GPU'", "accepted"],
  [3, 'scontrol update state=DRAIN reason="bad GPU" node=dgx-01', "accepted"],
  [3, "scontrol update NodeName=dgx-01 State=Drain Reason=bad\\ GPU", "accepted"],
  [5, "kubectl -n gpu-operator get po -o=wide", "accepted"],
  [5, "kubectl get pod -owide --namespace=gpu-operator", "accepted"],
  [5, "kubectl get pods -o wide -n gpu-operator | grep web", "accepted"],
  [6, `curl -sk -u admin -d '{"ResetType":"On"}' -X POST https://bmc/redfish/v1`, "accepted"],
  [6, `curl https://bmc/redfish/v1 --request POST --data '{ "ResetType" : "On" }' --user admin --insecure`, "accepted"],
  [7, "docker run --gpus all --rm -it ubuntu nvidia-smi -L", "accepted"],
  [7, "docker run --gpus=all --name x ubuntu nvidia-smi -L", "accepted"],
  [8, "ipmitool sdr type temperature", "accepted"],
  [9, "nvidia-smi mig -C -i 0 -cgi 14,9", "accepted"],
  [9, "nvidia-smi mig --create-gpu-instance=9,14 --default-compute-instance --id=0", "accepted"],
  // Filters.
  [1, `${kQuery} | grep 1`, "accepted"],
  [1, `${kQuery} | head -n 3`, "accepted"],
  [1, `${kQuery} | tail -1 | grep -i h100`, "accepted"],
  [1, `${kQuery} | head -2`, "hidden"],
  [1, `${kQuery} | grep -c H100`, "hidden"],
  [1, `${kQuery} | grep nothing`, "hidden"],
  [1, `${kQuery} | awk '{print $1}'`, "absent: awk"],
  [2, "squeue --me | wc -l", "accepted"],
  [2, "squeue --me | grep x", "hidden"],
  // Near misses, with and without a pattern.
  [1, "nvidia-smi", "near: Only a table."],
  [1, "nvidia-smi | head", "near: Only a table."],
  [1, "nvidia-smi --query-compute-apps=pid --format=csv", "near: Processes."],
  [1, "free -h", "near: Not GPUs."],
  [1, "nvidia-smi --query-gpu=index,memory.used,name", "off: missing option"],
  [1, "nvidia-smi --query-gpu=index --format=csv", "off: value"],
  [1, `${kQuery} -i 0`, "off: extra option"],
  [2, "squeue", "off: missing option"],
  [2, "squeue -u wei", "off: value"],
  [2, "squeue -u ana -l", "off: extra option"],
  [3, "scontrol update nodename=dgx-01 state=drain", "off: missing option"],
  [3, "scontrol update nodename=dgx-02 state=drain reason='bad GPU'", "off: value"],
  [5, "kubectl get pods -o wide", "off: missing option"],
  [5, "kubectl describe pods -n gpu-operator", "off: subcommand"],
  [5, "kubectl get nodes -n gpu-operator -o wide", "off: word"],
  [5, "kubectl get pods web -n gpu-operator -o wide", "off: extra word"],
  [7, "docker run --rm ubuntu nvidia-smi -L", "off: missing option"],
  [7, "docker run --rm --gpus all ubuntu", "off: missing word"],
  [9, "nvidia-smi mig -cgi 9,14 -i 0", "off: missing option"],
  [9, "nvidia-smi mig -cgi 9,14 -C -i 1", "off: value"],
  [2, "nvidia-smi -L", "off: tool"],
  // What the shell and the tools say.
  [1, "nvidia-smii", "refused: bash: nvidia-smii: command not found"],
  [1, "nvidia-smi --foo", `refused: ${kBad}`],
  [1, "nvidia-smi foo", `refused: ${kBad}`],
  [2, "squeue --foo", "refused: squeue: unrecognized option '--foo'"],
  [2, "squeue -Z", "refused: squeue: invalid option -- 'Z'"],
  [5, "kubectl get pods --foo", "refused: error: unknown flag: --foo"],
  [5, "kubectl foo", 'refused: error: unknown command "foo" for "kubectl"'],
  [5, "kubectl get foo", `refused: error: the server doesn't have a resource type "foo"`],
  [3, "scontrol foo", "refused: scontrol: invalid keyword: foo"],
  [6, "curl --foo", "refused: curl: option --foo: is unknown"],
  [1, "top", "absent: top"],
  [1, "cat /etc/hosts", "absent: cat"],
  // The shell's own words.
  [1, "nvidia-smi 'x", "unread: quote"],
  [1, "nvidia-smi |", "unread: pipe"],
  [1, "| grep x", "unread: pipe"],
  [1, "nvidia-smi && reboot", "unread: operator"],
  [1, "nvidia-smi > out", "unread: operator"],
  [1, "", "nothing"],
  [1, "   # only a remark", "nothing"],
  // Elsewhere in the lab.
  [1, "hostname", "works"],
  [1, "sinfo", "off: tool"],
  [2, "sinfo", "works"],
  [2, kQuery, "works"],
  [3, "squeue --me", "works"],
  [5, "squeue --me", "before"],
  [1, "squeue --me", "later"],
  [4, "hostname", "works"],
];

describe("a line at a step", () => {
  it.each(kLines)("at step %i, %s: %s", (at, line, expected) => {
    expect(does(at, line)).toBe(expected);
  });

  it("prints the columns in the order that was asked for, without head and units where they are not wanted", () => {
    const printed = (line: string) => {
      const verdict = judge(tools, lab, 0, line);
      return "output" in verdict ? verdict.output : [];
    };
    expect(printed("nvidia-smi --query-gpu=name,memory.used,index --format=csv,noheader")).toEqual([
      "H100, 10 MiB, 0",
      "H100, 20 MiB, 1",
    ]);
    // The head keeps its unit, as nvidia-smi prints it.
    expect(printed(`${kQuery},nounits`)).toEqual([table[0], "0, 10, H100", "1, 20, H100"]);
  });
});

describe("the words of a line", () => {
  it("are read as a shell reads them", () => {
    expect(readLine(`a "b c" 'd "e"' f\\ g h="i j"|k`)).toEqual({
      stages: [["a", "b c", 'd "e"', "f g", "h=i j"], ["k"]],
    });
    expect(readLine(`grep "a\\"b" ''`)).toEqual({ stages: [["grep", 'a"b', ""]] });
  });

  it("are options and names by the grammar of their tool", () => {
    const reading = readCommand(tools, ["docker", "exec", "-it", "web", "ls", "-l"]);
    expect(reading).toMatchObject({ command: { tool: "docker", path: ["exec"], places: ["web"], rest: ["ls", "-l"] } });
    const other = readCommand(tools, ["kubectl", "exec", "web", "-n", "x", "--", "nvidia-smi", "-L"]);
    expect(other).toMatchObject({ command: { places: ["web"], rest: ["nvidia-smi", "-L"] } });
  });
});

describe("filters", () => {
  const lines = ["alpha 1", "Beta 2", "gamma 3", "beta 4"];
  const through = (...words: string[]) => filtered(lines, [words]);
  it.each([
    [["grep", "beta"], ["beta 4"]],
    [
      ["grep", "-i", "beta"],
      ["Beta 2", "beta 4"],
    ],
    [
      ["grep", "-iv", "beta"],
      ["alpha 1", "gamma 3"],
    ],
    [
      ["grep", "-E", "alpha|gamma"],
      ["alpha 1", "gamma 3"],
    ],
    [
      ["grep", "alpha\\|gamma"],
      ["alpha 1", "gamma 3"],
    ],
    [["grep", "alpha|gamma"], []],
    [
      ["grep", "-A1", "alpha"],
      ["alpha 1", "Beta 2"],
    ],
    [
      ["grep", "-B", "1", "gamma"],
      ["Beta 2", "gamma 3"],
    ],
    [["grep", "-c", "a"], ["4"]],
    [["grep", "-n", "gamma"], ["3:gamma 3"]],
    [["grep", "-w", "a"], []],
    [["grep", "-F", "a.p"], []],
    [
      ["grep", "-o", "[0-9]"],
      ["1", "2", "3", "4"],
    ],
    [["grep", "-E", "("], ["grep: Invalid regular expression"]],
    [["head", "-n", "1"], ["alpha 1"]],
    [
      ["head", "-2"],
      ["alpha 1", "Beta 2"],
    ],
    [["tail", "-n1"], ["beta 4"]],
    [
      ["tail", "-n", "+3"],
      ["gamma 3", "beta 4"],
    ],
    [["wc", "-l"], ["4"]],
    [
      ["sort", "-r"],
      ["gamma 3", "beta 4", "alpha 1", "Beta 2"],
    ],
    [["less"], lines],
  ])("%j", (words, expected) => {
    expect(through(...words)).toEqual(expected);
  });

  it("name what they are not", () => {
    expect(through("jq", ".")).toEqual({ missing: "jq" });
  });
});

/** The run after these lines. */
const after = (...lines: string[]): Run => lines.reduce((run, line) => enter(tools, lab, run, line), kNewRun);
const last = (run: Run) => {
  const entry = run.entries.at(-1);
  return entry?.kind === "note" ? entry.note : entry;
};

describe("a run", () => {
  it("goes on with the right command and says why", () => {
    const run = after(kQuery);
    expect(run).toMatchObject({ at: 1, marks: ["first"], wrong: 0 });
    expect(run.entries.map(({ kind }) => kind)).toEqual(["line", "output", "note"]);
    expect(last(run)).toEqual({ tone: "good", says: "Why." });
  });

  it("gives a hint at any time, and the command after two wrong tries", () => {
    expect(last(after("hint"))).toEqual({ tone: "plain", says: "Hint." });
    expect(last(after("nvidia-smi", "show me"))).toMatchObject({ key: "noHint" });
    const shown = after("nvidia-smi", "nvidia-smi", "show me");
    expect(last(shown)).toMatchObject({ key: "shown", values: { command: kQuery } });
    expect(enter(tools, lab, shown, kQuery).marks).toEqual(["shown"]);
  });

  it("counts no try that works or that asks for help", () => {
    const run = after("hostname", "top", "help", "", "free -h", "scontrol show node");
    expect(run.wrong).toBe(0);
    expect(enter(tools, lab, run, kQuery).marks).toEqual(["first"]);
    expect(after("nvidia-smii", kQuery).marks).toEqual(["later"]);
  });

  it("says in its help which tools and commands there are", () => {
    const keys = after("help").entries.flatMap((entry) =>
      entry.kind === "note" && "key" in entry.note ? entry.note.key : [],
    );
    expect(keys).toEqual(["help", "helpTools", "helpAny"]);
  });

  it("takes the letter of an option, and lets choose again", () => {
    const solvedThree = after(kQuery, "squeue --me", "scontrol update node=dgx-01 state=drain reason='bad GPU'");
    expect(solvedThree.at).toBe(3);
    const wrong = enter(tools, lab, solvedThree, "A");
    expect(wrong).toMatchObject({ at: 3, chosen: [0] });
    expect(last(enter(tools, lab, solvedThree, "kubectl get pods -n gpu-operator -o wide"))).toMatchObject({
      key: "answerFirst",
    });
    expect(enter(tools, lab, wrong, "b")).toMatchObject({ at: 4, marks: ["first", "first", "first", "later"] });
    expect(choose(lab, solvedThree, 1).marks).toEqual(["first", "first", "first", "first"]);
    expect(choose(lab, solvedThree, 7)).toBe(solvedThree);
  });

  it("keeps what was typed, and clears what was shown", () => {
    const run = after("hostname", "clear");
    expect(run.entries).toEqual([]);
    expect(run.typed).toEqual(["hostname", "clear"]);
  });
});

describe("keys", () => {
  it("bring back earlier lines", () => {
    const lines = ["a", "b"];
    expect(stepBack(lines, 0, "x")).toEqual({ place: 1, typed: "b" });
    expect(stepBack(lines, 2, "a")).toEqual({ place: 2, typed: "a" });
    expect(stepForth(lines, 2, "a")).toEqual({ place: 1, typed: "b" });
    expect(stepForth(lines, 1, "b")).toEqual({ place: 0, typed: "" });
    expect(stepBack([], 0, "x")).toEqual({ place: 0, typed: "x" });
  });

  it("complete what is known or was shown, and nothing else", () => {
    const complete = (line: string, run: Run = kNewRun) => completed(tools, line, run.entries).line;
    expect(complete("nvi")).toBe("nvidia-");
    expect(complete("nvidia-s")).toBe("nvidia-smi ");
    expect(complete("nvidia-smi --query-g")).toBe("nvidia-smi --query-gpu ");
    expect(complete("kubectl desc")).toBe("kubectl describe ");
    expect(complete("kubectl describe dgx-")).toBe("kubectl describe dgx-");
    const shown: Run = { ...kNewRun, entries: [{ kind: "output", lines: ["dgx-01   Ready"] }] };
    expect(complete("kubectl describe node dgx", shown)).toBe("kubectl describe node dgx-01 ");
    expect(complete("")).toBe("");
    expect(completed(tools, "kubectl c", []).all).toContain("cordon");
  });

  it("leave commands in texts apart", () => {
    expect(codeParts("a `b` c").map(({ isCode }) => isCode)).toEqual([false, true, false]);
  });
});

describe("a finished lab", () => {
  it("stays in the log as a review of a lab, apart from questions", () => {
    const review = commandReview(lab, ["first", "first", "first", "first", "shown"], 300, kNoon);
    expect(faultsOf(review)).toEqual([]);
    expect(review).toMatchObject({ card: "lab.command.sample", right: true, grade: 3, answer: 4, objective: "3.1" });
    expect(isLabCard(review.card)).toBe(true);
    expect(habits([review])).toEqual(habits([]));
    expect(runsOf([review], "sample")).toEqual([review]);
  });

  it("counts as done where four of five steps were solved", () => {
    expect(isDone(["first", "later", "shown"])).toBe(false);
    expect(isDone([])).toBe(false);
    expect(commandReview(lab, ["first", "first"], 1, kNoon).grade).toBe(4);
    expect(commandReview(lab, ["shown", "first"], 1, kNoon)).toMatchObject({ grade: 1, right: false });
    expect(repeated(["first", "later", "shown"])).toEqual([2, 3]);
  });
});

describe("the files of the labs", () => {
  const sources = readSources(core);
  const files = commandFiles(`${core}study/data`, (ids) => sourcesNamed(sources, ids));

  it("are a list, and each lab with its sources", () => {
    const list = files["commands.json"] as CommandLabPack;
    expect(list.labs.map(({ id }) => id)).toEqual(labs.map(({ id }) => id));
    expect(commandLabAfter(list, labs[0]?.id ?? "")?.id).toBe(labs[1]?.id);
    for (const { id, sources: named } of labs) {
      const file = files[`commands/${id}.json`] as { sources: Record<string, { url?: string }> };
      expect(Object.keys(file.sources), id).toEqual([...new Set(named)].sort());
      expect(
        Object.values(file.sources).filter(({ url }) => url === undefined),
        id,
      ).toEqual([]);
    }
  });

  it.each(labs.map((one) => [one.id, one] as const))("%s is played to its end by its own commands", (_, one) => {
    const end = one.steps.reduce(
      (run, step) =>
        isQuestion(step)
          ? choose(
              one,
              run,
              step.options.findIndex(({ right }) => right === true),
            )
          : enter(tools, one, run, commandOf(step.accept[0] ?? "")),
      kNewRun,
    );
    expect(isOver(one, end)).toBe(true);
    expect(end.marks.every((mark) => mark === "first")).toBe(true);
  });
});
