/** Times beside what the machine does meanwhile: each is told in milliseconds and in rounds of a fixed piece of work. */
import type { Browser, Page } from "@playwright/test";

export interface Row {
  name: string;
  /** One for each visit. */
  values: readonly number[];
  /** For times, one for each visit: how long the fixed work took beside it. */
  loops?: readonly number[];
  /** What is aimed at on a machine that does nothing else. */
  goal?: number;
  unit: "ms" | "" | "%";
  /** Which of the visits is told; the median unless said. */
  share?: number;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** What the fixed work is called in a trace. */
export const kFixedWork = "fixed work";

/** A fixed piece of work, to be done in a page; gives the milliseconds that it took. */
export function fixedWork(name: string): number {
  performance.mark(name);
  const from = performance.now();
  const table = new Float64Array(4096);
  let state = 1;
  for (let i = 0; i < 2_000_000; i += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const at = state >>> 20;
    table[at] = Math.sqrt((table[at] ?? 0) + (state >>> 8) + 1);
  }
  return performance.now() - from + 0 * (table[0] ?? 0);
}

/** A page of the same browser that does the fixed work when asked, and says how many milliseconds that took. */
export async function openLoop(browser: Browser): Promise<() => Promise<number>> {
  const page: Page = await browser.newPage();
  const loop = () => page.evaluate(fixedWork, kFixedWork);
  // The first rounds also compile it.
  for (let i = 0; i < 3; i += 1) await loop();
  return loop;
}

/** The browser has this long for itself between two rounds, which are long enough to lose the processor as the page does. */
const kPauseMs = 200;

/** Does `work`, and the fixed work again and again meanwhile; tells the mean of its rounds beside it. */
export async function beside<Result>(
  loop: () => Promise<number>,
  work: () => Promise<Result>,
): Promise<{ result: Result; loop: number }> {
  const rounds = [await loop()];
  let isDone = false;
  const meanwhile = async () => {
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, kPauseMs));
      rounds.push(await loop());
    }
  };
  const ended = meanwhile();
  const result = await work().finally(() => {
    isDone = true;
  });
  await ended;
  return { result, loop: rounds.reduce((sum, one) => sum + one, 0) / rounds.length };
}

/** A line for each figure: what it is, in rounds of the fixed work, and what is aimed at. A busy machine shows in the first, less in the second. */
export function print(rows: readonly Row[]): void {
  console.log(`${"figure".padStart(11)} ${"in loops".padStart(9)} ${"goal".padStart(8)}`);
  for (const { name, values, loops, goal, unit, share = 0.5 } of rows) {
    const figure = `${quantile(values, share).toFixed(unit === "" ? 3 : 0)} ${unit}`;
    const ratio =
      loops &&
      quantile(
        values.map((value, i) => value / (loops[i] ?? Number.NaN)),
        share,
      ).toFixed(2);
    console.log(`${figure.padStart(11)} ${(ratio ?? "").padStart(9)} ${String(goal ?? "").padStart(8)}  ${name}`);
  }
}
