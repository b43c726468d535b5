/** What the Tab key completes: tools, their subcommands and options, and words that the terminal has shown. Never what nobody has seen yet. */
import type { Tool, Tools } from "./grammar.ts";
import { optionOf } from "./grammar.ts";
import type { Entry } from "./run.ts";

const kShortest = 3;

/** The tool or subcommand that the words so far lead to. */
function levels(tools: Tools, words: readonly string[]): Tool[] {
  const first = words.find((word) => word !== "sudo") ?? "";
  const found: Tool[] = [];
  let level = tools[first];
  for (const word of words.slice(words.indexOf(first) + 1)) {
    if (level === undefined) break;
    found.push(level);
    const inside = level.commands?.[word];
    if (inside !== undefined) level = inside;
  }
  return level === undefined ? [] : [...found, level];
}

/** Words that were printed, as names of pods and nodes. */
function shownWords(entries: readonly Entry[]): string[] {
  const lines = entries.flatMap((entry) =>
    entry.kind === "output" ? entry.lines : entry.kind === "line" ? [entry.text] : [],
  );
  return lines.flatMap((line) => line.split(/[\s|,"'()]+/)).filter((word) => /^[A-Za-z][\w./:-]{2,}$/.test(word));
}

function candidates(tools: Tools, before: readonly string[], part: string, entries: readonly Entry[]): string[] {
  if (before.filter((word) => word !== "sudo").length === 0) return [...Object.keys(tools), "help", "hint", "clear"];
  const known = levels(tools, before);
  const last = known.at(-1);
  if (part.startsWith("-"))
    return known
      .flatMap(({ options = [] }) => options.flatMap((text) => optionOf(text).names))
      .filter((name) => name.startsWith("--"));
  return [...Object.keys(last?.commands ?? {}), ...(part.length >= kShortest ? shownWords(entries) : [])];
}

const common = (words: readonly string[]): string => {
  const [first = ""] = words;
  let length = first.length;
  for (const word of words) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
};

/** The line with its last word completed as far as it is certain; the same line where nothing is known. `all` are the words that fit. */
export function completed(tools: Tools, line: string, entries: readonly Entry[]): { line: string; all: string[] } {
  const stage = line.slice(line.lastIndexOf("|") + 1);
  const words = stage.split(/\s+/).filter((word) => word !== "");
  const part = /\s$/.test(stage) || stage === "" ? "" : (words.pop() ?? "");
  if (part === "") return { line, all: [] };
  const all = [...new Set(candidates(tools, words, part, entries))].filter((word) => word.startsWith(part)).sort();
  const found = common(all);
  if (found.length <= part.length && !(all.length === 1 && found === part)) return { line, all };
  return { line: `${line.slice(0, line.length - part.length)}${found}${all.length === 1 ? " " : ""}`, all };
}
