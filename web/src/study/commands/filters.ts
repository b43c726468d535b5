/** What may follow a pipe: the few filters that people use with these tools, at work on the lines that a tool printed. */
import { type Command, type optionOf, readCommand, type Tools } from "./grammar.ts";

type Lines = readonly string[];

const kFilters: Tools = {
  grep: {
    letters: true,
    options: [
      "-i --ignore-case",
      "-v --invert-match",
      "-c --count",
      "-n --line-number",
      "-w --word-regexp",
      "-E --extended-regexp",
      "-F --fixed-strings",
      "-o --only-matching",
      "-e --regexp =",
      "-A --after-context =",
      "-B --before-context =",
      "-C --context =",
      "--color --colour =?~",
    ],
    unknown: ["grep: unrecognized option '{word}'", "Usage: grep [OPTION]... PATTERNS [FILE]..."],
  },
  egrep: { letters: true, options: ["-i --ignore-case", "-v --invert-match", "-c --count", "-A --after-context ="] },
  head: { letters: true, options: ["-n --lines ="], unknown: ["head: invalid option -- '{letter}'"] },
  tail: { letters: true, options: ["-n --lines ="], unknown: ["tail: invalid option -- '{letter}'"] },
  wc: { letters: true, options: ["-l --lines"], unknown: ["wc: invalid option -- '{letter}'"] },
  sort: { letters: true, options: ["-r --reverse", "-n --numeric-sort"] },
  uniq: { letters: true, options: [] },
  less: { letters: true, options: ["-S --chop-long-lines ~", "-R ~"] },
  more: { letters: true, options: [] },
  cat: { letters: true, options: [] },
};
export const kFilterNames = Object.keys(kFilters);

/** In a basic expression these are letters unless a backslash is before them; in the other kind it is the reverse. */
const kSwapped = "+?|(){}";

function pattern(text: string, { options }: Command, extended: boolean): RegExp {
  let source = "";
  for (let i = 0; i < text.length; i += 1) {
    const sign = text[i] ?? "";
    const next = text[i + 1] ?? "";
    if (options.has("--fixed-strings")) source += sign.replace(/[.*+?^${}()|[\]\\]/, "\\$&");
    else if (!extended && kSwapped.includes(sign)) source += `\\${sign}`;
    else if (!extended && sign === "\\" && next !== "" && kSwapped.includes(next)) {
      source += next;
      i += 1;
    } else source += sign;
  }
  if (options.has("--word-regexp")) source = `\\b(?:${source})\\b`;
  return new RegExp(source, options.has("--ignore-case") ? "i" : "");
}

const numberOf = ({ options }: Command, ...names: string[]): number =>
  Math.max(0, ...names.map((name) => Number(options.get(name)?.at(-1) ?? 0) || 0));

function grep(lines: Lines, command: Command): Lines {
  const { options, places, tool } = command;
  const text = options.get("--regexp")?.[0] ?? places[0];
  if (text === undefined) return ["Usage: grep [OPTION]... PATTERNS [FILE]..."];
  let search: RegExp;
  try {
    search = pattern(text, command, tool === "egrep" || options.has("--extended-regexp"));
  } catch {
    return ["grep: Invalid regular expression"];
  }
  const found = lines.map((line) => search.test(line) !== options.has("--invert-match"));
  if (options.has("--count")) return [String(found.filter(Boolean).length)];
  const before = numberOf(command, "--before-context", "--context");
  const after = numberOf(command, "--after-context", "--context");
  const named = lines.map((line, i) => ({ line, place: i + 1 }));
  const left = named.filter((_, i) => found.slice(Math.max(0, i - after), i + before + 1).some(Boolean));
  if (options.has("--only-matching")) return left.flatMap(({ line }) => search.exec(line)?.[0] ?? []);
  return left.map(({ line, place }) => (options.has("--line-number") ? `${place}:${line}` : line));
}

/** `-5` is an old way to write `-n 5`. */
function count(command: Command): number {
  const old = command.places.find((place) => /^-\d+$/.test(place));
  const given = command.options.get("--lines")?.at(-1) ?? old?.slice(1) ?? "10";
  return Number(given.replace(/^\+/, ""));
}

function byLine(lines: Lines, { options }: Command): Lines {
  const numeric = options.has("--numeric-sort");
  const sorted = [...lines].sort((a, b) => (numeric ? Number.parseFloat(a) - Number.parseFloat(b) : a < b ? -1 : 1));
  return options.has("--reverse") ? sorted.reverse() : sorted;
}

function run(lines: Lines, command: Command): Lines {
  switch (command.tool) {
    case "grep":
    case "egrep":
      return grep(lines, command);
    case "head":
      return lines.slice(0, count(command));
    case "tail":
      return command.options.get("--lines")?.[0]?.startsWith("+")
        ? lines.slice(count(command) - 1)
        : lines.slice(Math.max(0, lines.length - count(command)));
    case "wc":
      return [String(lines.length)];
    case "sort":
      return byLine(lines, command);
    case "uniq":
      return lines.filter((line, i) => line !== lines[i - 1]);
    default:
      return lines;
  }
}

/** The lines that come out of the filters; or the name of one that this terminal does not have. */
export function filtered(lines: Lines, stages: readonly (readonly string[])[]): Lines | { missing: string } {
  let left = lines;
  for (const words of stages) {
    const reading = readCommand(kFilters, words);
    if ("command" in reading) left = run(left, reading.command);
    else if (reading.fault === "tool") return { missing: reading.word };
    else return reading.output;
  }
  return left;
}

const columnsOf = (line: string) => line.split(", ");

/** A table of values between commas, with its columns in the order that was asked for, without its head or its units where that was asked for. */
export function asAsked(
  lines: Lines,
  asked: Command,
  given: Command,
  known: ReadonlyMap<string, ReturnType<typeof optionOf>>,
): Lines {
  if (asked.inner !== undefined && given.inner !== undefined)
    return asAsked(lines, asked.inner.command, given.inner.command, asked.inner.known);
  const option = [...known.values()].find(({ columns, name }) => columns && asked.options.has(name));
  if (option === undefined) return lines;
  const list = ({ options }: Command) => (options.get(option.name)?.[0] ?? "").split(",");
  const order = list(asked).map((column) => list(given).indexOf(column));
  const has = ({ options }: Command, word: string) => (options.get("--format")?.[0] ?? "").split(",").includes(word);
  const isNew = (word: string) => has(asked, word) && !has(given, word);
  const rows = isNew("noheader") ? lines.slice(1) : lines;
  return rows.map((line) => {
    const cells = columnsOf(line);
    const moved = order.map((place) => cells[place] ?? "");
    return moved.map((cell) => (isNew("nounits") ? cell.replace(/^([\d.]+) (?:MiB|W|%|MHz)$/, "$1") : cell)).join(", ");
  });
}
