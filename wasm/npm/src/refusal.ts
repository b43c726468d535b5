/** What is no request at all is refused before the engine sees it, in the form of the engine's own errors. */
import type { Refusal } from "./messages.js";

function refused(message: string, hint: string): Refusal {
  const error = { code: "not-json", path: "", message, hint };
  return { errors: [error], error };
}

/** The JSON text of a request, or why it has none. */
export function jsonOf(request: unknown): string | Refusal {
  const hint = "Give an object of plain values with a kind.";
  try {
    const text: string | undefined = JSON.stringify(request);
    return text ?? refused(`The request is ${typeof request}, which JSON cannot hold.`, hint);
  } catch (error) {
    const [why] = String(error).split("\n");
    return refused(`The request cannot be written as JSON: ${why}.`, hint);
  }
}

/** Undefined for text, which the engine reads itself. */
export function notText(request: unknown): string | undefined {
  if (typeof request === "string") return undefined;
  return JSON.stringify(
    refused(`The request is ${typeof request} instead of text.`, "answer takes values, answerText JSON text."),
  );
}
