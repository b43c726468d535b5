/** Money in another currency than the engine's: the rates of the catalog, and the engine's sentences put together anew. */

import templates from "../../core/base/data/messages.json?en";
import table from "../../core/catalog/data/currencies.csv?raw";
import type { Message } from "./contract.ts";
import { type Currency, currency, kUsd, rates } from "./currency.ts";
import { speakEnglishWith } from "./language.ts";
import { filled } from "./templates.ts";

function read(line: string): Currency {
  const [id = "", name = "", sign = "", perUsd = "", as_of = "", source = ""] = line.split(",");
  return { id, name, sign, per_usd: Number(perUsd), as_of, source };
}

rates.value = [kUsd, ...table.trim().split(/\r?\n/).slice(1).map(read)];

const known = templates as Record<string, string>;

function inEnglish(said: string | Message): string | undefined {
  if (typeof said === "string") return undefined;
  if (said.code === "as-written") return said.message;
  const template = known[said.sentence ?? said.code ?? ""];
  return template === undefined ? undefined : filled(template, said.values ?? {}, inEnglish, " ");
}

/** Shows money in this currency from now on. */
export function showIn(id: string): void {
  const next = rates.value.find((one) => one.id === id) ?? kUsd;
  speakEnglishWith(next === kUsd ? undefined : inEnglish);
  currency.value = next;
}
