/** What the element says in Chinese; it loads this where a page asks for Chinese. */
import type { JsonObject } from "../../../web/src/json.ts";
import { sayFault } from "../../../web/src/screens/faults.ts";
import { inChinese } from "../../../web/src/sentences_zh.ts";
import { translateWith } from "../../../web/src/translation.ts";
import type { RequestError } from "./messages.js";
import { fault as own } from "./words.js";

translateWith(inChinese);

export * from "./words.js";

/** An error of a request as the site says it, in the engine's own English where it has no words for it. */
export function fault(error: RequestError, request: JsonObject): string {
  const { text, hint = "" } = sayFault(error, request, {});
  return own({ ...error, message: text, hint }, request);
}
