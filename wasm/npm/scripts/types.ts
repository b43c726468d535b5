/** Types of requests and answers, written from the JSON Schemas that the program prints. */

/** What schemas of the program are made of; anything else stops the build. */
export interface Schema {
  $schema?: string;
  title?: string;
  description?: string;
  unit?: string;
  type?: string | string[];
  enum?: (string | number | boolean | null)[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  maxItems?: number;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}
const kKnown = new Set(
  "$schema title description unit type enum oneOf properties required additionalProperties items maxItems default minimum maximum exclusiveMinimum exclusiveMaximum".split(
    " ",
  ),
);

/** One kind of requests: forms that differ in their `type` are members of one union. */
export interface KindOf {
  kind: string;
  request: Schema;
  /** Absent for kinds whose answers have no table of fields. */
  answer?: Schema;
}

/** The comment of a field: what it is, its unit, its range and its default. */
function comment(schema: Schema, indent: string): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const low = minimum === undefined ? exclusiveMinimum && `above ${exclusiveMinimum}` : `from ${minimum}`;
  const high = maximum === undefined ? exclusiveMaximum && `below ${exclusiveMaximum}` : `to ${maximum}`;
  const unit = schema.unit === "1" ? undefined : schema.unit;
  const said = [
    [schema.description ?? schema.title, unit].filter(Boolean).join(", "),
    [low, high].filter(Boolean).join(" "),
    schema.maxItems === undefined ? "" : `at most ${schema.maxItems}`,
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ].filter((one) => one !== "");
  return said.length === 0 ? "" : `${indent}/** ${said.join("; ").replaceAll("*/", "*\\/")} */\n`;
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Members whose schemas allow anything: what they are by their names. */
const kOfAnyShape: Record<string, string> = { ways_out: "JsonObject[]", values: "Values" };
const isOfAnyShape = (schema: Schema) => !["type", "enum", "oneOf"].some((word) => Object.hasOwn(schema, word));

function objectType({ properties, required = [] }: Schema, indent: string): string {
  if (properties === undefined) return "JsonObject";
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const type = kOfAnyShape[name] !== undefined && isOfAnyShape(field) ? kOfAnyShape[name] : typeOf(field, inner);
    return `${comment(field, inner)}${inner}${key(name)}${required.includes(name) ? "" : "?"}: ${type};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

function namedType(name: string, schema: Schema, indent: string): string {
  if (name === "integer" || name === "number") return "number";
  if (name === "string" || name === "boolean" || name === "null") return name;
  if (name === "object") return objectType(schema, indent);
  if (name !== "array") throw new Error(`a schema has a type "${name}" that is not known here`);
  return schema.items === undefined ? "unknown[]" : `Array<${typeOf(schema.items, indent)}>`;
}

export function typeOf(schema: Schema, indent = ""): string {
  const strange = Object.keys(schema).find((word) => !kKnown.has(word));
  if (strange !== undefined) throw new Error(`a schema has a word "${strange}" that is not known here`);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.oneOf !== undefined) return schema.oneOf.map((one) => typeOf(one, indent)).join(" | ");
  if (schema.type === undefined) return "unknown";
  return [schema.type]
    .flat()
    .map((name) => namedType(name, schema, indent))
    .join(" | ");
}

/** The schema with `kind` as the one word that it is, and always there. */
function ofKind(schema: Schema, kind: string): Schema {
  if (schema.oneOf !== undefined) return { ...schema, oneOf: schema.oneOf.map((one) => ofKind(one, kind)) };
  const { properties = {}, required = [] } = schema;
  return {
    ...schema,
    properties: { ...properties, kind: { description: "What is asked", enum: [kind] } },
    required: required.includes("kind") ? required : ["kind", ...required],
  };
}

function camel(kind: string): string {
  return kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const kHead = `// Written from the schemas of the program: podwright schema KIND, podwright schema --answer KIND.

export interface JsonObject {
  [key: string]: unknown;
}

/** A sentence of the engine, with its code and the values in it. */
export interface Said {
  code: string;
  message: string;
  values?: Values;
}

/** Values of a sentence by their names. */
export interface Values {
  [name: string]: number | string | Said[];
}

/** One error in a request: the place as a JSON Pointer, what is wrong, and what to write instead. */
export interface RequestError {
  code: string;
  path: string;
  message: string;
  hint?: string;
}

/** The answer to a request with errors in it; \`error\` is the first of them. */
export interface Refusal {
  errors: RequestError[];
  error: RequestError;
}
`;

/** An answer without a table of fields. It has no errors, so that `errors` tells it from a refusal. */
const kPlain = "JsonObject & { kind: string; errors?: never; error?: never }";

const kTail = `
export type Kind = keyof Requests;
export type Request = Requests[Kind];
/** A request of one kind; functions that take requests of any kind and pass them on are generic in it. */
export type RequestOf<K extends Kind> = Requests[K] & { kind: K };
export type Answer = Answers[Kind] | Refusal;

/** One of the plans of an answer; the first is the best. */
export type Plan = PlanAnswer["plans"][number];
/** A number that a plan is judged by. */
export type Headline = NonNullable<Plan["headlines"]>[number];
`;

/** The text of messages.d.ts. */
export function typesOf(kinds: readonly KindOf[]): string {
  const parts = kinds.map(({ kind, request, answer }) => {
    const name = camel(kind);
    const answered = answer === undefined ? kPlain : typeOf(ofKind(answer, kind));
    return `\nexport type ${name}Request = ${typeOf(ofKind(request, kind))};\n\nexport type ${name}Answer = ${answered};\n`;
  });
  const table = (what: string) =>
    `\nexport interface ${what}s {\n${kinds.map(({ kind }) => `  ${kind}: ${camel(kind)}${what};\n`).join("")}}\n`;
  return kHead + parts.join("") + table("Request") + table("Answer") + kTail;
}
