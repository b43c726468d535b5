/** Named mistakes by how often they were made, and spans of time. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { kDayMs } from "../../../web/src/study/scheduler.ts";
import { calendarDays, dateText, spanOf, timeOfDate } from "../../../web/src/study/spans.ts";
import { cardsOfTraps, traps, trapTitle } from "../../../web/src/study/traps.ts";
import { kNoon, review } from "./samples.ts";

const wrong = (id: string, card: string, names: string[], time: number) =>
  review(id, { card, question: `${card}/${id}`, right: false, traps: names, time });

describe("named mistakes", () => {
  const log = [
    wrong("a", "t.kv-cache", ["keys-only"], kNoon),
    wrong("b", "t.kv-cache", ["keys-only"], kNoon + 1),
    wrong("c", "t.gbit-gbyte", ["bits-for-bytes"], kNoon + 2),
    wrong("d", "t.gbit-gbyte", ["bits-for-bytes"], kNoon + 3),
    wrong("e", "t.weights-memory", ["bits-for-bytes"], kNoon + 4),
    wrong("f", "t.pue-of-site", ["pue-forgotten"], kNoon + 5),
    review("g", { card: "t.kv-cache", right: true, time: kNoon + 6 }),
    review("h", { card: "t.pue-of-site", right: false, time: kNoon + 7 }),
  ];

  it("are counted, those still open first", () => {
    expect(traps(log).map(({ name, times, open }) => ({ name, times, open }))).toEqual([
      { name: "bits-for-bytes", times: 3, open: ["t.gbit-gbyte", "t.weights-memory"] },
      { name: "pue-forgotten", times: 1, open: ["t.pue-of-site"] },
      { name: "keys-only", times: 2, open: [] },
    ]);
    expect(traps(log)[0]?.question).toBe("t.weights-memory/e");
    expect(traps([])).toEqual([]);
  });

  it("lead to the cards at which they are open", () => {
    expect([...cardsOfTraps(traps(log))].sort()).toEqual(["t.gbit-gbyte", "t.pue-of-site", "t.weights-memory"]);
    expect([...cardsOfTraps(traps(log), "keys-only")]).toEqual([]);
    expect(trapTitle("bits-for-bytes")).toBe("Bits for bytes");
  });
});

describe("spans", () => {
  it.each([
    [0, 1, "minute"],
    [10 * 60_000, 10, "minute"],
    [5 * 3_600_000, 5, "hour"],
    [kDayMs, 1, "day"],
    [8.4 * kDayMs, 8, "day"],
    [90 * kDayMs, 3, "month"],
    [800 * kDayMs, 2, "year"],
  ])("of %d ms is %d %s", (ms, count, unit) => expect(spanOf(ms)).toEqual({ count, unit }));

  // By the clock of the place, on either side of UTC; in Newfoundland clocks change on 8 March and 1 November.
  it.each([
    ["UTC", 0],
    ["Asia/Kathmandu", -345],
    ["America/St_Johns", 210],
    ["Pacific/Kiritimati", -840],
  ])("count days by the calendar and read a date back in %s", (zone, offset) => {
    vi.stubEnv("TZ", zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(2026, 10, 22).getTimezoneOffset()).toBe(offset);
    const evening = new Date(2026, 10, 22, 23, 50).getTime();
    const morning = new Date(2026, 10, 24, 0, 10).getTime();
    expect(calendarDays(evening, morning)).toBe(2);
    expect(calendarDays(new Date(2026, 2, 7, 23).getTime(), new Date(2026, 2, 9, 0).getTime())).toBe(2);
    expect(calendarDays(new Date(2026, 9, 31, 0).getTime(), new Date(2026, 10, 2, 23).getTime())).toBe(2);
    expect(dateText(evening)).toBe("2026-11-22");
    expect(dateText(timeOfDate("2026-12-01") ?? 0)).toBe("2026-12-01");
    expect(timeOfDate("")).toBeUndefined();
  });
});
