/** One tool for each kind of request, with the input schema that the engine has for it. */
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { Podwright } from "./podwright.js";
import { jsonOf } from "./refusal.js";
import { answerText, errorText } from "./say.js";
import { shortened, valueAt } from "./shorten.js";

interface Schema {
  properties?: Record<string, unknown>;
  required?: string[];
  oneOf?: Schema[];
  [word: string]: unknown;
}

/** A row of schemas/kinds.json. */
export interface Row {
  kind: string;
  type?: string;
  verb: string;
  help: string;
}

/** Of the study tool, and of the tables that the project is checked with: nothing that an agent asks for by itself. */
const kOnlyWhenNamed = ["question", "exam", "backtest"];

/** Characters of JSON that an answer has without `answer_places`: some 5,000 tokens. */
const kRoom = 18_000;

const kPlaces = {
  description:
    "JSON Pointers of parts of the answer to return whole, such as /plans/0/cost. Without it the answer is shortened, and `left_out` lists the pointers of what is missing",
  type: "array",
  items: { type: "string" },
};

export interface KindTool {
  tool: Tool;
  /** What the request says in addition to the input. */
  head: { kind: string; type?: string };
}

/** `estimate_serving` where a command asks several kinds, `plan` where it is the name of the kind. */
function nameOf({ kind, type, verb }: Row, rows: readonly Row[]): string {
  if (kind === verb && type === undefined) return kind;
  return rows.filter((row) => row.verb === verb).length > 1 ? `${verb}_${type ?? kind}` : kind;
}

function formOf(schema: Schema, type: string | undefined): Schema {
  const isOfType = (one: Schema) =>
    (one.properties?.type as { enum?: string[] } | undefined)?.enum?.includes(type ?? "");
  return schema.oneOf === undefined ? schema : (schema.oneOf.find(isOfType) ?? schema);
}

function toolOf(row: Row, rows: readonly Row[], schema: Schema): KindTool {
  const head = row.type === undefined ? { kind: row.kind } : { kind: row.kind, type: row.type };
  const { properties = {}, required = [] } = formOf(schema, row.type);
  const asked = Object.entries(properties).filter(([key]) => !Object.hasOwn(head, key) && key !== "schema");
  return {
    head,
    tool: {
      name: nameOf(row, rows),
      description: `${row.help}.`,
      inputSchema: {
        type: "object",
        properties: { ...Object.fromEntries(asked), answer_places: kPlaces } as Record<string, object>,
        required: required.filter((key) => !Object.hasOwn(head, key)),
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
  };
}

/** `named`: the tools to offer; all of them for "all", the usual ones where nothing is named. */
export function toolsOf(
  rows: readonly Row[],
  schemaOf: (kind: string) => Schema,
  named: readonly string[],
): KindTool[] {
  const all = rows.map((row) => toolOf(row, rows, schemaOf(row.kind)));
  if (named.includes("all")) return all;
  if (named.length === 0) return all.filter(({ head }) => !kOnlyWhenNamed.includes(head.kind));
  const strange = named.find((name) => !all.some(({ tool }) => tool.name === name));
  if (strange !== undefined)
    throw new RangeError(`There is no tool "${strange}". Tools: ${all.map(({ tool }) => tool.name).join(", ")}.`);
  return all.filter(({ tool }) => named.includes(tool.name));
}

type Result = {
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: boolean;
};

function result(text: string, structured: Record<string, unknown>, isError = false): Result {
  return {
    content: [{ type: "text", text }],
    structuredContent: structured,
    ...(isError ? { isError } : {}),
  };
}

/** Asks the engine; what it refuses comes back with its own errors. */
export function call({ answerText: ask }: Podwright, { head }: KindTool, input: Record<string, unknown>): Result {
  const { answer_places: places, ...request } = input;
  // A number such as 1e999 is JSON, but Infinity once it is read.
  const text = jsonOf({ ...request, ...head });
  const answer = typeof text === "string" ? JSON.parse(ask(text)) : text;
  if (Array.isArray(answer.errors)) return result(errorText(answer.errors), { errors: answer.errors }, true);
  if (places === undefined) return result(answerText(answer), shortened(answer, kRoom));
  const asked = Array.isArray(places) ? places.map(String) : [String(places)];
  const missing = asked.filter((place) => valueAt(answer, place) === undefined);
  if (missing.length > 0) {
    const errors = missing.map((path) => ({
      code: "missing",
      path: "/answer_places",
      message: `The answer has nothing at "${path}".`,
      hint: `Members of the answer: ${Object.keys(answer).join(", ")}.`,
    }));
    return result(errorText(errors), { errors }, true);
  }
  return result(answerText(answer), { at: Object.fromEntries(asked.map((place) => [place, valueAt(answer, place)])) });
}
