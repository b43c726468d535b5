/** Gates on measured figures: how busy the machine is, and a table that says what is over. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

export interface Row {
  name: string;
  value: number;
  gate: number;
  unit: "ms" | "" | "%";
  /** Scores are at least their gate, everything else at most. */
  atLeast?: boolean;
  /** A score of times: judged only where nothing else runs. */
  ofTime?: boolean;
  /** Where the figure is over its gate today: what it may be at most until it fits, and why. It fails when it grows. */
  known?: { atMost: number; why: string };
}

const kLoop = `let x = 0; const t = performance.now(); const c = process.cpuUsage();
while (performance.now() - t < 500) x += Math.sqrt(x + 1);
const { user, system } = process.cpuUsage(c); console.log((performance.now() - t) / ((user + system) / 1000));`;

/** One loop on each processor at once: time that passed over time that it ran. 1 on a machine that is ours alone. */
export async function waiting(): Promise<number> {
  const one = () =>
    new Promise<number>((resolve, reject) => {
      const loop = spawn(process.execPath, ["-e", kLoop]);
      let said = "";
      loop.stdout.on("data", (data: Buffer) => {
        said += String(data);
      });
      loop.on("error", reject);
      loop.on("close", () => resolve(Number(said)));
    });
  return Math.max(...(await Promise.all(Array.from({ length: availableParallelism() }, one))));
}

/** Above the first share of waiting a machine is busy and gates count twice; above the second times say nothing about the site. */
const kBusyFrom = 1.1;
const kNotJudgedFrom = 1.25;

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** Prints the table; true where no figure is over its gate. `isGenerous` counts every gate of a time twice, as on a busy machine. */
export function judge(rows: readonly Row[], share: number, isGenerous = false): boolean {
  const isBusy = isGenerous || share > kBusyFrom;
  const isJudged = share <= kNotJudgedFrom;
  const state = isJudged ? (isBusy ? "gates of times count twice" : "not busy") : "too busy to judge times";
  console.log(`a loop on every processor took ${share.toFixed(2)} times what it ran: ${state}`);
  let isFine = true;
  for (const { name, value, gate, unit, atLeast = false, ofTime = false, known } of rows) {
    const limit = (known?.atMost ?? gate) * (isBusy && unit === "ms" ? 2 : 1);
    const isOver = atLeast ? !(value >= gate) : !(value <= limit);
    const isMissed = atLeast ? isOver : value > gate;
    const counts = ofTime ? !isBusy : isJudged || (unit === "" && !atLeast);
    const fails = isOver && counts;
    if (fails) isFine = false;
    const why = known === undefined ? "a busy machine" : `known: ${known.why}; fails above ${limit}`;
    const note = fails
      ? `OVER, fails above ${limit}`
      : isOver
        ? "over, not judged"
        : isMissed
          ? `over the gate, ${why}`
          : "";
    const figure = value.toFixed(unit === "" ? 3 : 0);
    console.log(`${figure.padStart(8)} of ${String(gate).padStart(5)} ${unit.padEnd(2)}  ${name.padEnd(44)} ${note}`);
  }
  return isFine;
}
