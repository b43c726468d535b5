/** The crawler's eyes: they read what is drawn, and see contradictions that are put there. */
import { describe, expect, it } from "vitest";
import { labelsOfTwoNumbers, placesOfTwoTexts, shownOn, unlikeSentences, unnamedStatistics } from "./one_number.ts";

const figure = (place: string, value: string, unit = "") =>
  `<button type="button" class="figure" data-place="${place}"><span class="value">${value}</span>${unit === "" ? "" : `<span class="unit"> ${unit}</span>`}</button>`;
const tile = (label: string, number: string, chip = "") =>
  `<div class="tile"><dt>${label}</dt><dd class="big">${number}</dd><dd class="note"><span class="chip">${chip}</span></dd></div>`;

const kMean = figure("/plans/0/estimates/0/latency/ttft_s", "302", "ms");
const kP95 = figure("/plans/0/estimates/0/latency/ttft_s_p95", "613", "ms");

describe("a number on a page", () => {
  it("has the label, the chips and the headings that are read with it", () => {
    const html = `<h1>All</h1><section><h2>Speed</h2><dl>${tile("First token", kP95, "95th percentile")}</dl></section>`;
    expect(shownOn("plan", html)).toEqual([
      {
        screen: "plan",
        place: "/plans/0/estimates/0/latency/ttft_s_p95",
        text: "613",
        unit: "ms",
        label: "First token",
        chips: ["95th percentile"],
        heading: "Speed",
      },
    ]);
  });

  it("has the titles of its row and column, and its place in an interval", () => {
    const [cell] = shownOn(
      "plan",
      `<h2>Plans</h2><table><thead><tr><th>Plan</th><th>Each token, mean</th></tr></thead>
       <tbody><tr><th scope="row">8 × A</th><td>${kMean}</td></tr></tbody></table>`,
    );
    expect(cell).toMatchObject({ label: "Each token, mean", chips: ["8 × A"], heading: "Plans" });
    const interval = `<dd>${kMean}<span class="interval">${figure("/a_low", "1")} – ${figure("/a_high", "2")}</span></dd>`;
    const [, low, high] = shownOn("plan", `<dl><div><dt>Time</dt>${interval}</div></dl>`);
    expect([low?.chips, high?.chips]).toEqual([
      ["interval", "number 1"],
      ["interval", "number 2"],
    ]);
  });
});

describe("contradictions", () => {
  it("are two texts of one place", () => {
    const both = [
      ...shownOn("plan", `<p>${figure("/a", "31.0")}</p>`),
      ...shownOn("speed", `<p>${figure("/a", "31")}</p>`),
    ];
    expect(placesOfTwoTexts(both)).toEqual(["/a: 31.0 and 31"]);
    expect(placesOfTwoTexts(both.slice(1))).toEqual([]);
  });

  it("are two numbers under one label with nothing between them", () => {
    const read = (chips: readonly [string, string]) =>
      shownOn("plan", tile("First token", kP95, chips[0]) + tile("First token", kMean, chips[1]));
    expect(labelsOfTwoNumbers(read(["", ""]))).toHaveLength(1);
    expect(labelsOfTwoNumbers(read(["95th percentile", "mean"]))).toEqual([]);
    const twice = ["One", "Two"].map((title) => `<section><h2>${title}</h2>${tile("First token", kMean)}</section>`);
    expect(labelsOfTwoNumbers(shownOn("plan", twice.join("")))).toEqual([]);
  });

  it("are latencies without the name of their statistic", () => {
    expect(unnamedStatistics(shownOn("plan", tile("First token", kMean)))).toHaveLength(1);
    expect(unnamedStatistics(shownOn("plan", tile("First token", kMean, "mean")))).toEqual([]);
  });

  it("are sentences that say another number", () => {
    const shown = shownOn("plan", tile("Cost", figure("/usd_per_year", "$655,000")));
    const said = (message: string) => [{ code: "cost", message, values: { usd: 654913.03964078 } }];
    const wrong = (message: string) => unlikeSentences(said(message), shown, () => 654913.03964078);
    expect(wrong("It costs $654,913 a year.")).toHaveLength(1);
    expect(wrong("It costs $655,000 a year.")).toEqual([]);
    const waits = shownOn("speed", tile("Wait", figure("/wait_s", "5.30", "ms"), "mean"));
    const wait = [{ code: "wait", text: "It waits 5.3 ms.", values: { wait_s: 0.00529754510929255 } }];
    expect(unlikeSentences(wait, waits, () => 0.005297545109292547)).toEqual([]);
  });
});
