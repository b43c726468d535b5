/** The page formats and draws; it computes no planning number. Whatever it computes with a number of an answer stands here. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Computed, computed } from "./arithmetic.ts";

/** Whole modules, each with the reason. */
const kModules: Record<string, string> = {
  "format.ts": "the one place that converts between units of one quantity and rounds parts so that they add up",
  "templates.ts": "writes the numbers in a sentence as the engine does: digits, percent, milliseconds",
  "link.ts": "counts bytes, and the plan of a link, which people count from 1",
  "controller.ts": "numbers the links that it follows",
  "questions.ts": "numbers its questions",
  "screens/difference.ts": "what Compare is for: by how much a shown number differs from the one of the first column",
  "views/price_age.ts": "how many days a price was old on the day from which the engine counts ages of prices",
  "views/quantity.ts": "reads units of one quantity as people type them, and writes them into fields",
  "tools/chart_files.ts": "places a chart's parts in its file by their boxes on the page",
  "equation_units.ts": "chooses the units in which the quantities of one printed equation fit together",
  "equation.ts": "reads the text of an equation: places in it, the rank of its operators and its width",
};

/**
 * Whole folders, each with the reason; only their plain modules (`.ts`). What they show is drawn elsewhere.
 * study/ computes with the learner's own answers alone: `study/modules.test.ts` sees to it that it reaches no answer of the engine.
 */
const kFolders: Record<string, string> = {
  "study/":
    "recall, ability, confidence, chance to pass and time, all from what the learner answered; no planning number",
};

/** Single expressions, by file, each with the reason. */
const kExpressions: Record<string, Record<string, string>> = {
  "state.ts": { "Math.min(state.selected.value, plans.length - 1)": "the last plan where the chosen one is gone" },
  "views/stacked_bar.tsx": {
    "end += value": "where the next part of the bar begins",
    "Math.max(end, least)": "the end of the bar's scale; no text says it",
    "x(span.end) - from": "the width of a part",
    "index % kHues": "one of the patterns",
  },
  "views/chart.tsx": {
    "series % kSeries": "one of the colours",
    "Math.max(series, 0) % kSeries": "one of the shapes",
    "i % kSeries": "one of the colours",
    "tick / 10 ** Math.floor(Math.log10(tick) + 1e-9)": "the leading digits of a tick",
    "apart * Math.abs(to - from)": "how far apart two ticks must be",
    "usd * per_usd": "an axis in the currency on show, for round ticks",
    "tick / per_usd": "a round tick in the engine's dollars, to draw it",
  },
  "views/equation.tsx": { "own + 1": "the rank of an operator decides on brackets" },
  "views/pareto_chart.tsx": {
    "run / kSecondsOfDay": "a run in seconds on an axis of days",
  },
  "views/front_drawing.tsx": {
    "kHeight - (across.name === undefined ? 26 : 46)":
      "where the axis across stands: room for its numbers and its name",
    "left / 1.1": "air around the marks: the ends of an axis",
    "right * 1.1": "air around the marks: the ends of an axis",
    "low / 1.5": "air around the marks: the ends of an axis",
    "high * 1.3": "air around the marks: the ends of an axis",
    "(counts.get(gpu) ?? 0) + 1": "counts marks, to name the GPUs that have most",
    "b[1] - a[1]": "sorts by the count of marks",
    "a.x - b.x": "sorts the marks of a line along the axis",
  },
  "views/marks.tsx": { "(marks.indexOf(mark) + step) % marks.length": "the next mark of a list" },
  "tools/palette.tsx": {
    "Math.min(at, found.length - 1)": "the chosen line of a list that got shorter",
    "(chosen + step + found.length) % Math.max(found.length, 1)": "the next line of a list",
  },
  "screens/plan_question.ts": {
    "Math.min(mean / peak, 1)": "the share that the slider of the load keeps between two inputs",
    "Math.min(Number((share * peak).toPrecision(3)), peak)":
      "the mean that goes with a peak of the slider, both inputs",
  },
  "screens/by_hand.ts": {
    "total / count": "numbers that the plan gives as totals, as fields of a request that takes them for one",
  },
  "screens/enough_replicas.tsx": {
    "(gpus * next) / now": "a wish: the GPUs of a request, for the replicas that the engine is asked about",
    "now * 2": "a wish: twice the replicas of the request",
    "many *= 2": "a wish: twice the replicas of the last question",
    "many - few": "ends the search between two numbers of replicas that were asked about",
    "Math.floor((few + many) / 2)": "the next number of replicas to ask about",
  },
  "screens/faults.ts": { "Math.round(value)": "the whole number next to an input, offered as a mend" },
  "screens/form.tsx": { "index + 1": "people count from 1" },
  "screens/wishes.ts": { "rate * 2": "a wish: the user's own load, doubled in the request" },
  "screens/compare_table.tsx": { "workload + 1": "people count from 1" },
  "screens/gpu_prices.tsx": {
    'Number(a.country === "") - Number(b.country === "")': "sorts offers without a country last",
    "b.offers - a.offers": "sorts by the count of offers",
  },
  "screens/tables.tsx": { "from + i": "the place of a row in its list" },
  "screens/data.tsx": {
    "a - b": "sorts",
    "Number(a === undefined || a === null) - Number(b === undefined || b === null)": "sorts gaps last",
    "length -= 1": "shortens a path until it names a fact",
  },
  "screens/charts/break_even.tsx": {
    "width - 12": "the right edge of the drawing",
    "width - 32": "the end of its axis, with room for the last share",
  },
  "screens/charts/front.tsx": {
    "1 / each": "a limit in seconds per token on an axis of tokens per second",
    "Math.max(0, ...lists.map(([, list]) => list.length))": "how many rows columns make",
  },
  "screens/charts/roofs.tsx": {
    "Math.min(least / 3, nearest / 40)": "air around roofs and marks: the ends of an axis",
    "Math.max(most * 3, farthest * 8)": "air around roofs and marks: the ends of an axis",
    "(peak * left) / ridge": "where the slope of a roof meets the edge of the drawing",
    "bottom / 1.2": "air around roofs and marks: the ends of an axis",
    "y(peak) + (below ? 16 : -6)": "a name stands above its line or below it",
    "top * 1.6": "air around roofs and marks: the ends of an axis",
  },
  "screens/charts/day.tsx": { "width - kRight": "the right edge of the drawing" },
  "screens/charts/fan.tsx": {
    "Math.min(chosen ?? last, last)": "the last year where the chosen one is gone",
    "width - 16": "the right edge of the drawing",
  },
  "host/host_state.ts": { "asked += 1": "numbers its questions" },
  "host/names.ts": {
    "a - b": "the order of GPUs by their numbers",
    "number + 1": "the next GPU, to join neighbours into one name",
    "number - 1": "the GPU before, to join neighbours into one name",
  },
  "host/hosts_store.ts": { "(counts.get(text) ?? 0) + 1": "counts results of one name, to tell them apart" },
  "host/hosts_part.tsx": {
    "Math.floor((now - then) / kDayMs)": "the age of what is kept, in days",
    "-days": "days that have gone",
    "-Math.floor(days / 30)": "months that have gone",
  },
  "host/calibrated_requests.ts": { "(counts.get(key) ?? 0) + 1": "counts devices of one GPU" },
  "host/serving_part.tsx": {
    "Math.round(measured[key])": "a mean length as a field of a request, which takes whole tokens",
    "Math.round(concurrency)": "a mean as a field of a request, which takes whole sequences",
  },
};

const web = fileURLToPath(new URL("../../web/", import.meta.url));

describe("the page's own arithmetic", () => {
  const found = computed(join(web, "tsconfig.json"), join(web, "src"));

  it("stands in the list with its reason", () => {
    const isListed = ({ file, text }: Computed) =>
      file in kModules ||
      text in (kExpressions[file] ?? {}) ||
      Object.keys(kFolders).some((folder) => file.startsWith(folder) && file.endsWith(".ts"));
    expect(found.filter((one) => !isListed(one)).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it("is all that the list holds", () => {
    const isThere = (file: string, text?: string) =>
      found.some((one) => one.file === file && (text === undefined || one.text === text));
    const gone = Object.entries(kExpressions).flatMap(([file, texts]) =>
      Object.keys(texts).flatMap((text) => (isThere(file, text) ? [] : [`${file}: ${text}`])),
    );
    expect(gone).toEqual([]);
    expect(Object.keys(kModules).filter((file) => !isThere(file))).toEqual([]);
    expect(Object.keys(kFolders).filter((folder) => !found.some(({ file }) => file.startsWith(folder)))).toEqual([]);
  });
});

describe("what counts as computing", () => {
  const textsIn = (source: string) => {
    const folder = mkdtempSync(join(tmpdir(), "podwright-arithmetic-"));
    writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "strict": true }, "include": ["*.ts"] }');
    writeFileSync(
      join(folder, "sample.ts"),
      `interface ScaleLinear { (value: number): number } declare const x: ScaleLinear; declare const answer: { rent: number; all: number[] };
       const kHeight = 300; export const sample = ${source};`,
    );
    return computed(join(folder, "tsconfig.json"), folder).map(({ text }) => text);
  };

  it.each([
    "answer.rent * 8760",
    "answer.rent + answer.all.length",
    "1 - answer.rent",
    "answer.rent / kHeight",
    "answer.all.reduce((sum, one) => sum + one, 0)",
    "Math.max(answer.rent, 3)",
    "x(answer.rent) * answer.rent",
    "answer.rent++",
    "(answer.rent -= 2)",
    "answer.all[0]! % 7",
    "-answer.rent",
  ])("%s does", (source) => expect(textsIn(source)).toHaveLength(1));

  it.each([
    "kHeight - 12",
    "x(answer.rent) + 4",
    "answer.all.map((_, i) => i * 20 + 8)",
    "Math.round(answer.all.length / 2)",
    '"$" + answer.rent',
    "answer.rent > 5 ? answer.rent : -1",
    "!answer.rent",
  ])("%s does not", (source) => expect(textsIn(source)).toEqual([]));
});
