import { scaleLog } from "d3-scale";
import { describe, expect, it } from "vitest";
import { ticksOf } from "../../web/src/views/chart.tsx";
import { undominated } from "../../web/src/views/front_drawing.tsx";

describe("undominated", () => {
  const marks = [
    { gpu: "a", x: 68.7, y: 315 },
    { gpu: "a", x: 45.9, y: 281 },
    { gpu: "a", x: 20, y: 400 },
    { gpu: "b", x: 68.7, y: 300 },
    { gpu: "b", x: 68.7, y: 300 },
  ];

  it("leaves out what another mark of the same GPU beats in both measures", () => {
    expect(undominated(marks, "less", "less")).toEqual([marks[1], marks[2], marks[3], marks[4]]);
  });

  it("knows measures of which more is better", () => {
    expect(undominated(marks.slice(0, 3), "more", "more")).toEqual([marks[0], marks[2]]);
  });
});

describe("ticksOf", () => {
  const ticks = (from: number, to: number) => ticksOf(scaleLog([from, to], [300, 12]));

  it("are few, round and apart, over many decades and within one", () => {
    expect(ticks(60, 13_000)).toEqual([100, 200, 500, 1000, 2000, 5000, 10_000]);
    expect(ticks(4, 75)).toEqual([5, 10, 20, 50]);
    for (const [from, to] of [
      [55_000, 114_000],
      [17, 29],
      [10, 150],
      [0.9, 1.1],
      [1, 1e9],
    ] as const) {
      const scale = scaleLog([from, to], [300, 12]);
      const all = ticksOf(scale);
      expect(all.length, `${from} to ${to}`).toBeGreaterThanOrEqual(2);
      for (const [i, tick] of all.slice(1).entries())
        expect(Math.abs(scale(tick) - scale(all[i] ?? 0))).toBeGreaterThanOrEqual(0.12 * 288 - 1e-9);
    }
  });
});
