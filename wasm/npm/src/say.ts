/** An answer of any kind in a few lines of text, all of them the engine's own. */
import type { Headline, RequestError } from "./messages.js";
import { valueAt } from "./shorten.js";

interface Said {
  message: string;
  ways_out?: unknown[];
}

const textAt = (answer: unknown, place: string) => {
  const value = valueAt(answer, place);
  return typeof value === "string" ? value : undefined;
};
const listAt = <Item>(answer: unknown, place: string) => {
  const value = valueAt(answer, place);
  return Array.isArray(value) ? (value as Item[]) : [];
};

/** Names in a request may hold any characters; in the text none of them begins a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced.
const inOneLine = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ");

/** Every error with its place and what to write instead. */
export function errorText(errors: readonly RequestError[]): string {
  return errors
    .map(({ path, message, hint }) => `${path === "" ? "request" : path}: ${message}${hint ? ` ${hint}` : ""}`)
    .map(inOneLine)
    .join("\n");
}

function headlineText({ id, workload, statistic, value, low, high, target, probability }: Headline): string {
  const name = [id, workload, statistic].filter(Boolean).join(", ");
  const notes = [
    low && high ? `90 % interval ${low.text} to ${high.text}` : "",
    target ? `target ${target.text}` : "",
    probability ? `met with a probability of ${probability.text}` : "",
  ].filter((note) => note !== "");
  return `${name}: ${value?.text}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

function reasonText({ message, ways_out = [] }: Said): string {
  const ways = ways_out.map((way) => JSON.stringify(way)).join(" or ");
  return ways === "" ? message : `${message} Way out: ${ways}`;
}

/** The number that was asked for, and the equation that gives it. */
function explained(answer: unknown): string[] {
  const [at, value] = [textAt(answer, "/at"), valueAt(answer, "/value")];
  if (at === undefined || typeof value !== "number") return [];
  const last = listAt<{ equation?: string; source?: string }>(answer, "/trace").at(-1);
  return [
    `${at} = ${value} ${textAt(answer, "/unit") ?? ""}`.trim(),
    ...(last?.equation === undefined ? [] : [`= ${last.equation} (${last.source ?? "definition"})`]),
  ];
}

/** What an estimate, and the best that a search has found, are read for. */
const kNumbers =
  "max_requests_per_s latency/ttft_s latency/tpot_s throughput/output_tokens_per_s step/time_s throughput/tokens_per_s throughput/mfu run/time_days memory_per_gpu/total_gib cost/usd_per_million_output_tokens".split(
    " ",
  );

function numbers(answer: unknown, place: string): string[] {
  const shown = (key: string) => {
    const value = valueAt(answer, `${place}/${key}`);
    return typeof value === "number" ? String(Number(value.toPrecision(4))) : undefined;
  };
  return kNumbers.flatMap((key) => {
    const [value, low, high] = [shown(key), shown(`${key}_low`), shown(`${key}_high`)];
    if (value === undefined) return [];
    return `${key}: ${value}${low && high ? ` (90 % interval ${low} to ${high})` : ""}`;
  });
}

/** The best deployment or layout of a search, or the estimate itself. */
function best(answer: unknown): string[] {
  const place = ["/deployments/0", "/layouts/0"].find((one) => valueAt(answer, one) !== undefined) ?? "";
  const [layout, gpu, count] = ["layout", "gpu", "gpu_count"].map((key) => valueAt(answer, `${place}/${key}`));
  const named = typeof layout === "string" ? [`${count} x ${gpu}: ${layout}`] : [];
  return [...named, ...numbers(answer, place)];
}

/** The ids of a table of the catalog. */
function items(answer: unknown): string[] {
  const ids = listAt<{ id?: string }>(answer, "/items").flatMap(({ id }) => id ?? []);
  return ids.length === 0 ? [] : [ids.join(", ")];
}

/** What answers without a sentence of their own say: their plain members. */
function members(answer: Record<string, unknown>): string[] {
  const plain = Object.entries(answer).filter(
    ([key, value]) => typeof value !== "object" && key !== "catalog_digest" && key !== "podwright_version",
  );
  return plain.map(([key, value]) => `${key}: ${value}`);
}

const kMostReasons = 5;

export function answerText(answer: Record<string, unknown>): string {
  const reasons = [...listAt<Said>(answer, "/reasons"), ...listAt<Said>(answer, "/rejected")].slice(0, kMostReasons);
  const said = [
    ...["/summary", "/plans/0/summary", "/designs/0/summary"].flatMap((place) => textAt(answer, place) ?? []),
    ...listAt<Headline>(answer, "/plans/0/headlines").map(headlineText),
    ...best(answer),
    ...items(answer),
    ...["/decision/message", "/plans/0/decision/message", "/binding/message", "/deployments/0/binding/message"].flatMap(
      (place) => textAt(answer, place) ?? [],
    ),
    ...explained(answer),
    ...(answer.feasible === false ? ["Not feasible:", ...reasons.map(reasonText)] : []),
  ];
  return [...new Set((said.length > 0 ? said : members(answer)).map(inOneLine))].join("\n");
}
