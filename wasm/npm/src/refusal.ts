/** What is no request at all is refused before the engine sees it, in the form of the engine's own errors. */
import type { Refusal, RequestError } from "./messages.js";

const kHint = "Give an object of plain values with a kind.";

function problem(message: string, hint: string, path = ""): RequestError {
  return { code: "not-json", path, message, hint };
}

function refused(error: RequestError, ...more: RequestError[]): Refusal {
  return { errors: [error, ...more], error };
}

/** What JSON would leave out or turn into null, so that for instance a limit would be lost. */
function isLost(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return ["undefined", "function", "symbol"].includes(typeof value);
}

const named = (value: unknown) =>
  typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);

/** Writes JSON text and finds on the way what JSON cannot carry. */
function written(request: unknown): { text: string | undefined; lost: RequestError[] } {
  const lost: RequestError[] = [];
  const places = new Map<unknown, string>();
  function look(this: unknown, key: string, value: unknown): unknown {
    const holder = places.get(this);
    const place = holder === undefined ? "" : `${holder}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof value === "object" && value !== null) places.set(value, place);
    if (isLost(value)) {
      const subject = place === "" ? "The request" : "The value";
      const hint = place === "" ? kHint : "Give a value, or leave the field out.";
      lost.push(problem(`${subject} is ${named(value)}, which JSON cannot carry.`, hint, place));
    }
    return value;
  }
  return { text: JSON.stringify(request, look), lost };
}

/** The JSON text of a request, or why it has none. */
export function jsonOf(request: unknown): string | Refusal {
  try {
    const { text, lost } = written(request);
    const [first, ...more] = lost;
    return first === undefined ? (text ?? "") : refused(first, ...more);
  } catch (error) {
    const [why] = String(error).split("\n");
    return refused(problem(`The request cannot be written as JSON: ${why}.`, kHint));
  }
}

/** Undefined for text, which the engine reads itself. */
export function notText(request: unknown): string | undefined {
  if (typeof request === "string") return undefined;
  return JSON.stringify(
    refused(problem(`The request is ${typeof request} instead of text.`, "answer takes values, answerText JSON text.")),
  );
}
