/** The tasks of a page's own thread, in processor time: a busy machine makes them wait, not longer. */
import type { Page } from "../../web/playwright.ts";
import { fixedWork, kFixedWork } from "../../web/scripts/loops.ts";

interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Microseconds that the processor spent. */
  tdur?: number;
}

/** Does `work` and gives the longest tasks of the page meanwhile, longest first, in rounds of the fixed work. */
export async function longestTasks(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser of its own");
  await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] });
  await work();
  for (let round = 0; round < 5; round += 1) await page.evaluate(fixedWork, kFixedWork);
  // The last round is in the trace once its task has ended, which another task comes after.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const marks = traceEvents.filter(({ name, cat }) => name === kFixedWork && cat.includes("user_timing"));
  const own = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      ph === "X" && name.endsWith("RunTask") && pid === marks[0]?.pid && tid === marks[0]?.tid,
  );
  const around = ({ ts }: TraceEvent) => own.find((task) => task.ts <= ts && ts <= task.ts + (task.dur ?? 0));
  const rounds = marks.map(around).filter((task) => task !== undefined);
  if (rounds.length === 0) throw new Error("no round of the fixed work is in the trace");
  // The first rounds are compiled while they run.
  const round = Math.min(...rounds.map(({ tdur }) => tdur ?? Number.POSITIVE_INFINITY));
  return own
    .filter((task) => !rounds.includes(task))
    .map(({ tdur = 0 }) => tdur / round)
    .sort((a, b) => b - a);
}
