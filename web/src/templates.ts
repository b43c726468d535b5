/**
 * What the engine says, put together on the page: the template of a message with its values in their places. The numbers are
 * written as the engine writes them; both are tested with the same cases.
 */
import type { Message } from "./contract.ts";
import { durationText, rounded, usdText } from "./format.ts";

export type Values = NonNullable<Message["values"]>;

function human(value: number, digits: number): string {
  return rounded(value, digits).toLocaleString("en-US", { maximumSignificantDigits: digits });
}

function decimals(value: number, places: number): string {
  const digits = places + 1 + Math.floor(Math.log10(Math.abs(value) || 1));
  const options = { minimumFractionDigits: places, maximumFractionDigits: places };
  return (digits < 1 ? value : rounded(value, digits)).toLocaleString("en-US", options);
}

/** `form` is what follows the colon of a place: core/base/message.h lists the forms. */
function inForm(value: number, form: string): string {
  if (form === "usd") return usdText(value);
  if (form === "s") return durationText(value).join(" ");
  if (form.endsWith("%")) return `${human(value * 100, Number.parseInt(form, 10) || 3)} %`;
  if (form.startsWith(".")) return decimals(value, Number(form.slice(1)));
  if (form.startsWith("|")) return form.split("|")[value === 1 ? 1 : 2] ?? "";
  return human(value, Number(form) || 12);
}

/** The text with its places filled, and `between` two sentences of one place; undefined where a value is missing or itself not known. */
export function filled(
  template: string,
  values: Values,
  textOf: (said: Message) => string | undefined,
  between = "",
): string | undefined {
  let isWhole = true;
  const text = template.replaceAll(/\{(\w+):?([^}]*)\}/g, (_, name: string, form: string) => {
    const value = values[name];
    if (typeof value === "number") return inForm(value, form);
    if (typeof value === "string") return value;
    const inner = value?.map(textOf) ?? [undefined];
    isWhole &&= !inner.includes(undefined);
    return inner.join(between);
  });
  return isWhole ? text : undefined;
}
