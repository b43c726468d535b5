/** By how much a number of one scenario differs from the same number of another, written as the numbers are. */
import { figureText, type MemoryUnit, phrase } from "../format.ts";
import { fill } from "../messages.ts";
import { texts } from "./texts.ts";

const signed = (value: number, text: string) => `${value < 0 ? "−" : "+"}${text}`;

/**
 * `+$241,661 (+36.9 %)` of a number whose key decides its unit; shares differ by percentage points, and nothing is a share of 0.
 * Numbers that read alike are the same. `bare` where the label says the unit.
 */
export function differenceText(
  key: string,
  value: number,
  first: number,
  { memory = "GB", bare = false }: { memory?: MemoryUnit; bare?: boolean } = {},
): string {
  const [shown, before] = [value, first].map((one) => phrase(figureText(key, one, memory)));
  if (shown === before) return texts.noDifference;
  const by = value - first;
  const size = figureText(key, Math.abs(by), memory);
  const share = /^([\d.,]+) %$/.exec(size.value)?.[1];
  if (share !== undefined) return signed(by, fill(texts.points, { value: share }));
  const text = signed(by, bare ? size.value : phrase(size));
  if (first === 0) return text;
  return `${text} (${signed(by, figureText("fraction", Math.abs(by / first)).value)})`;
}
