/** Whether a command does what another one does, and if not, where they part. */
import { type Command, kWhatever, type Option } from "./grammar.ts";

/** What is off in a command, next to the one that a step asks for. */
export type Difference =
  | { kind: "tool" | "missing option" | "missing word" }
  | { kind: "subcommand" | "extra option" | "value" | "word" | "extra word"; word: string };

type Known = ReadonlyMap<string, Option>;

/** Whether an option says nothing that matters. */
function isHarmless(option: Option | undefined, values: readonly string[]): boolean {
  if (option?.harmless === undefined) return false;
  return option.harmless === true || values.every((value) => value === option.harmless);
}

const inOrder = (values: readonly string[]) => [...values].sort();

/** The format of a table: what it leaves out is left out by `asAsked`. */
const plainFormat = (value: string) =>
  value
    .split(",")
    .filter((part) => part !== "noheader" && part !== "nounits")
    .join(",");

/** A value in JSON, whatever the spaces between its words. */
function asJson(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return value;
  }
}

function valuesOf(option: Option | undefined, values: readonly string[]): string[] {
  const folded = values.map((value) => (option?.fold ? value.toLowerCase() : value));
  if (option?.json) return folded.map(asJson);
  if (option?.columns) return folded.map((value) => inOrder(value.split(",")).join(","));
  if (option?.format) return folded.map(plainFormat);
  return inOrder(folded);
}

const sameWord = (given: string, asked: string) => asked === kWhatever || given === asked;
const sameWords = (given: readonly string[], asked: readonly string[]) =>
  given.length === asked.length && asked.every((word, i) => sameWord(given[i] ?? "", word));

function optionDifference(given: Command, asked: Command, known: Known, open: boolean): Difference | undefined {
  for (const [name, values] of asked.options) {
    const option = known.get(name);
    const own = given.options.get(name);
    if (own === undefined) {
      if (isHarmless(option, values)) continue;
      return { kind: "missing option" };
    }
    if (!sameWords(valuesOf(option, own), valuesOf(option, values)) && !isHarmless(option, [...own, ...values]))
      return { kind: "value", word: name };
  }
  if (open) return undefined;
  for (const [name, values] of given.options)
    if (!asked.options.has(name) && !isHarmless(known.get(name), values)) return { kind: "extra option", word: name };
  return undefined;
}

function wordDifference(given: readonly string[], asked: readonly string[], open: boolean): Difference | undefined {
  for (const [i, word] of asked.entries()) {
    const own = given[i];
    if (own === undefined) return { kind: "missing word" };
    if (!sameWord(own, word)) return { kind: "word", word: own };
  }
  const extra = given[asked.length];
  return extra === undefined || open ? undefined : { kind: "extra word", word: extra };
}

/** Undefined where both do the same. */
export function difference(given: Command, asked: Command, known: Known): Difference | undefined {
  if (given.tool !== asked.tool) return { kind: "tool" };
  const open = [...asked.places, ...asked.rest].includes(kWhatever);
  const bare = (words: readonly string[]) => words.filter((word) => word !== kWhatever);
  const isOther = open
    ? !asked.path.every((word, i) => given.path[i] === word)
    : given.path.join(" ") !== asked.path.join(" ");
  if (isOther) return { kind: "subcommand", word: given.path.join(" ") || given.tool };
  return (
    wordDifference(given.places, bare(asked.places), open) ??
    optionDifference(given, asked, known, open) ??
    (given.inner !== undefined && asked.inner !== undefined
      ? difference(given.inner.command, asked.inner.command, given.inner.known)
      : wordDifference(given.rest, bare(asked.rest), open))
  );
}

/** How near a difference is to none at all: the nearest one is told. */
const kNearness: readonly Difference["kind"][] = [
  "tool",
  "subcommand",
  "word",
  "missing word",
  "missing option",
  "extra word",
  "extra option",
  "value",
];
export const nearest = (all: readonly Difference[]): Difference | undefined =>
  [...all].sort((a, b) => kNearness.indexOf(b.kind) - kNearness.indexOf(a.kind))[0];
