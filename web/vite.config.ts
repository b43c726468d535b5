import { defineConfig, type Plugin } from "vite";

/** Files of few parts each: a small one costs as long as a large one until it comes. */
const kGroups = [
  // The plan, and what every screen needs.
  {
    name: "page",
    test: /node_modules\/(?!idb|ts-fsrs)|\/web\/src\/(?:(?!sentences|templates|money|csv|equation|patch_text)[a-z_]+\.tsx?|engine\/\w+\.ts|views\/(?!explanation|equation|sources|detail_bodies|quantities|field|quantity|pareto_chart|pareto_texts|front_drawing|marks|chosen_row|ways_out)\w+\.tsx?)$/,
  },
  // The form of the plan: as it is drawn at once, but used only after the first look.
  {
    name: "question",
    test: /\/web\/src\/(?:views\/(?:field|quantity)\.tsx?|screens\/(?:plan_form|plan_question|rate_slider|where_field|places|form_texts|requests)\.tsx?|data\/form_texts\.json)$/,
  },
  // What comes with the engine's first answer: what other charts share with that of the first screen, and the answer in few words.
  {
    name: "marks",
    test: /\/web\/src\/(?:views\/(?:front_drawing|marks|chosen_row|pareto_texts)\.tsx?|data\/pareto_texts\.json|screens\/answer_bar\.tsx)$/,
  },
  // What several screens need.
  {
    name: "words",
    test: /\/web\/src\/(?:csv\.ts|screens\/(?:texts|words|field_names|fault\w*|catalog_lists)\.tsx?|tools\/(?:keep_file|read_file|scenarios)\.ts|screens\/filter_field\.tsx|views\/(?:sources|equation)\.tsx)$/,
  },
  // What the study tool's screens share: its log and cards, and the view of a question. What few of them need is theirs.
  {
    name: "study",
    test: /node_modules\/(?:idb|ts-fsrs)|\/web\/src\/study\/(?:(?!drawing|exam_(?:run|clock|forecast|ability|kind)|study_plan|selector|ledger|coverage|formula_sheet|labs|anki|quiz|numbered|sliders|lesson|confidence|home_numbers)\w+\.ts|screens\/(?:study|texts|question_view|study_data|ask_question|opening|keeping_notice|single_keys|span_text|question\/\w+)\.tsx?)$/,
  },
  // What charts share, and all that those of the study tool need.
  { name: "curve", test: /\/web\/src\/screens\/(?:narrow\.ts|charts\/(?:chart_table|curve)\.tsx)$/ },
  // The form of any request and the view of any answer.
  {
    name: "asking",
    test: /\/web\/src\/screens\/(?:form|find_inputs|answer_part|decision|value|tables|files|charts\/\w+)\.tsx?$/,
  },
];

const kNumbers = "\0d3-interpolate/numbers";

/**
 * Charts scale numbers alone. d3-interpolate would bring the mixing of colours, dates and texts too, so what d3-scale asks of it
 * is given here; between numbers it is the same arithmetic. The scales that piece several ways together are not used.
 */
const numbersAlone: Plugin = {
  name: "numbers-alone",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "d3-interpolate" && importer?.includes("/d3-scale/") ? kNumbers : undefined,
  load: (id) =>
    id === kNumbers
      ? `export const interpolateNumber = (from, to) => (t) => from * (1 - t) + to * t;
         export const interpolate = interpolateNumber;
         export const interpolateRound = (from, to) => (t) => Math.round(from * (1 - t) + to * t);
         export const piecewise = undefined;`
      : undefined,
};

/** Of texts in two languages English alone, or Chinese: where `?zh` asks for it, and of the engine, which writes English itself. */
export const oneLanguage: Plugin = {
  name: "one-language",
  enforce: "pre",
  transform(code, id) {
    const [, folder, query] = /\/(web\/src|core\/base)\/data\/\w+\.json(?:\?(zh|en))?$/.exec(id) ?? [];
    if (folder === undefined) return null;
    const kept = query ?? (folder === "core/base" ? "zh" : "en");
    const table = JSON.stringify(JSON.parse(code, (_, text) => text?.[kept] ?? text));
    return query ? `export default ${table}` : table;
  },
};

export default defineConfig(({ isSsrBuild = false }) => ({
  base: "./",
  clearScreen: false,
  plugins: [numbersAlone, oneLanguage],
  worker: { format: "es" },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    ...(isSsrBuild ? {} : { rolldownOptions: { output: { codeSplitting: { groups: kGroups } } } }),
  },
}));
