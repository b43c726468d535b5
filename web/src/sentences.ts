/**
 * The page in Chinese: its own texts, and what the engine says: the templates of core/base/data/messages.json with the
 * values of a message in their places. The numbers are written as the engine writes them; both are tested with the same
 * cases.
 */
import templates from "../../core/base/data/messages.json";
import type { Message } from "./contract.ts";
import words from "./words_zh.json";

/** The tables of texts by their files, in Chinese alone (oneLanguage of vite.config.ts). */
export const tables = import.meta.glob<object>("./data/*.json", { query: "?zh", import: "default", eager: true });

type Values = NonNullable<Message["values"]>;

/** The value to so many digits; exactly between two the even one, as the engine rounds. `toPrecision` takes the larger. */
function rounded(value: number, digits: number): number {
  const [mantissa = "", power = ""] = Math.abs(value).toExponential(100).split("e");
  const kept = mantissa.slice(0, digits === 1 ? 1 : digits + 1);
  const isEvenTie = /[02468]$/.test(kept) && /^\.?50*$/.test(mantissa.slice(kept.length));
  return isEvenTie ? Math.sign(value) * Number(`${kept}e${power}`) : Number(value.toPrecision(digits));
}

function human(value: number, digits: number): string {
  return rounded(value, digits).toLocaleString("en-US", { maximumSignificantDigits: digits });
}

function decimals(value: number, places: number): string {
  const digits = places + 1 + Math.floor(Math.log10(Math.abs(value) || 1));
  const options = { minimumFractionDigits: places, maximumFractionDigits: places };
  return (digits < 1 ? value : rounded(value, digits)).toLocaleString("en-US", options);
}

function dollars(usd: number): string {
  const size = Math.abs(usd);
  return `$${size >= 0.1 && size < 1000 ? decimals(usd, 2) : human(usd, 3)}`;
}

/** `form` is what follows the colon of a place: core/base/message.h lists the forms. */
function inForm(value: number, form: string): string {
  if (form === "usd") return dollars(value);
  if (form === "s") return value < 1 ? `${human(value * 1e3, 3)} ms` : `${human(value, 3)} s`;
  if (form.endsWith("%")) return `${human(value * 100, Number.parseInt(form, 10) || 3)} %`;
  if (form.startsWith(".")) return decimals(value, Number(form.slice(1)));
  if (form.startsWith("|")) return form.split("|")[value === 1 ? 1 : 2] ?? "";
  return human(value, Number(form) || 12);
}

/** The text with its places filled; undefined where a value is missing or itself not known. */
export function filled(
  template: string,
  values: Values,
  textOf: (said: Message) => string | undefined,
): string | undefined {
  let isWhole = true;
  const text = template.replaceAll(/\{(\w+):?([^}]*)\}/g, (_, name: string, form: string) => {
    const value = values[name];
    if (typeof value === "number") return inForm(value, form);
    if (typeof value === "string") return value;
    const inner = value?.map(textOf) ?? [undefined];
    isWhole &&= !inner.includes(undefined);
    return inner.join("");
  });
  return isWhole ? text : undefined;
}

/** The messages of the engine, in Chinese alone too: each is a string. */
const known = templates as unknown as Record<string, string>;

/** A word of the engine or one of its messages in Chinese; undefined where it is not known. */
export function inChinese(said: string | Message): string | undefined {
  if (typeof said === "string") return Object.hasOwn(words, said) ? words[said as keyof typeof words] : undefined;
  if (said.code === "as-written") return inChinese(said.message) ?? said.message;
  const template = known[said.sentence ?? said.code ?? ""];
  return template === undefined ? undefined : filled(template, said.values ?? {}, inChinese);
}
