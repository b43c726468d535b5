/** The selector: few questions whose answers make a request for a plan. What it asks follows the decision guides of study material. */
import type { JsonObject } from "../json.ts";

type Load = "serving" | "training";

/** What a purpose stands for until the learner says more: the requests are those of the planner's examples. */
const kPurposes = {
  chat: { type: "serving", input_tokens: 2048, output_tokens: 512 },
  documents: { type: "serving", input_tokens: 8000, output_tokens: 400 },
  agents: { type: "serving", input_tokens: 16000, output_tokens: 1500 },
  batch: { type: "serving", input_tokens: 3000, output_tokens: 200 },
  adapters: { type: "training", method: "lora" },
  pretraining: { type: "training", method: "full" },
} as const satisfies Record<string, { type: Load } & JsonObject>;
type Purpose = keyof typeof kPurposes;

const kLatency: Record<string, JsonObject> = {
  fast: { ttft_s_p95_max: 1, tpot_s_p95_max: 0.03 },
  usual: { ttft_s_p95_max: 2, tpot_s_p95_max: 0.05 },
  patient: { ttft_s_p95_max: 5, tpot_s_p95_max: 0.1 },
};

export interface SelectorQuestion {
  /** Its field in the address. */
  id: SelectorField;
  /** Only asked for one kind of load. */
  of?: Load;
  /** Choices in their order; the first one is taken until another is chosen. "any" leaves the field out. */
  values: readonly string[];
  /** Choices that are plain numbers and need no name. */
  isNumber?: boolean;
  /** The lesson behind it, and claims of study material about it. */
  lesson: string;
  claims: readonly string[];
}

export const kSelectorFields = [
  "purpose",
  "model",
  "peak",
  "mean",
  "latency",
  "tokens",
  "days",
  "data",
  "ownership",
  "capital",
  "team",
  "horizon",
  "region",
  "rack",
  "cooling",
  "fabric",
] as const;
export type SelectorField = (typeof kSelectorFields)[number];
export type SelectorAnswers = Readonly<Record<SelectorField, string>>;

const kRates = ["5", "0.5", "1", "2", "10", "20", "50", "100", "200"];

/** `model` and `region` take their choices from the catalog. */
export const kSelectorQuestions: readonly SelectorQuestion[] = [
  { id: "purpose", values: Object.keys(kPurposes), lesson: "use-cases", claims: ["S001-207", "S001-208"] },
  { id: "model", values: [], lesson: "inference-memory", claims: ["S001-265", "S002-058", "S004-034"] },
  { id: "peak", of: "serving", values: kRates, isNumber: true, lesson: "training-and-inference", claims: ["S004-019"] },
  { id: "mean", of: "serving", values: ["any", ...kRates], isNumber: true, lesson: "spot-and-hybrid", claims: [] },
  {
    id: "latency",
    of: "serving",
    values: ["usual", "fast", "patient", "any"],
    lesson: "memory-hierarchy",
    claims: ["S000-053"],
  },
  {
    id: "tokens",
    of: "training",
    values: ["1e9", "1e8", "1e10", "1e11", "1e12", "1e13"],
    isNumber: true,
    lesson: "time-to-train",
    claims: ["S001-217"],
  },
  {
    id: "days",
    of: "training",
    values: ["30", "1", "3", "7", "14", "60", "90"],
    isNumber: true,
    lesson: "time-to-train",
    claims: ["S002-055", "S004-041"],
  },
  {
    id: "data",
    values: ["none", "in-country", "on-premises", "air-gapped"],
    lesson: "cloud-or-own",
    claims: [],
  },
  {
    id: "ownership",
    values: ["any", "cloud", "dgx", "oem", "pcie"],
    lesson: "reference-architectures",
    claims: ["S004-012", "S004-088"],
  },
  { id: "capital", values: ["yes", "no"], lesson: "cloud-or-own", claims: ["S001-232", "S004-054"] },
  { id: "team", values: ["self", "partner", "nvidia", "nobody"], lesson: "management", claims: [] },
  {
    id: "horizon",
    values: ["4", "1", "2", "3", "5", "6"],
    isNumber: true,
    lesson: "cloud-or-own",
    claims: ["S004-054"],
  },
  { id: "region", values: [], lesson: "facility-power", claims: [] },
  {
    id: "rack",
    values: ["any", "10", "17", "30", "41", "72", "132"],
    isNumber: true,
    lesson: "facility-power",
    claims: [],
  },
  { id: "cooling", values: ["liquid", "air"], lesson: "cooling", claims: ["S001-256"] },
  {
    id: "fabric",
    values: ["any", "infiniband", "spectrum-x", "roce"],
    lesson: "infiniband-ethernet",
    claims: ["S004-064", "S004-066"],
  },
];

/** What the questions take from the catalog until another is chosen. */
export const kFirstOf: Readonly<Record<string, string>> = { model: "llama-3.1-8b", region: "USA" };

/** The answer to a question: what was chosen, else its first choice. */
export function answerTo({ id, values }: SelectorQuestion, answers: SelectorAnswers): string {
  const known = values.length === 0 || values.includes(answers[id]);
  return answers[id] !== "" && known ? answers[id] : (values[0] ?? kFirstOf[id] ?? "");
}

/** Every question with its answer, in order; those of the other kind of load are left out. */
export function askedQuestions(answers: SelectorAnswers): { question: SelectorQuestion; answer: string }[] {
  const all = kSelectorQuestions.map((question) => ({ question, answer: answerTo(question, answers) }));
  const purpose = all.find(({ question }) => question.id === "purpose")?.answer as Purpose;
  const { type } = kPurposes[purpose];
  return all.filter(({ question }) => question.of === undefined || question.of === type);
}

/** Leaves out what is undefined. */
function given(fields: Record<string, JsonObject[string] | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** The request for a plan that the answers make. */
export function planRequest(answers: SelectorAnswers): JsonObject {
  const chosen = new Map(askedQuestions(answers).map(({ question, answer }) => [question.id, answer]));
  const text = (id: SelectorField) => {
    const value = chosen.get(id);
    return value === "any" ? undefined : value;
  };
  const number = (id: SelectorField) => {
    const value = text(id);
    return value === undefined ? undefined : Number(value);
  };
  const is = (id: SelectorField, value: string) => (chosen.get(id) === value ? true : undefined);
  const team = text("team");
  const workload = given({
    name: chosen.get("purpose"),
    ...kPurposes[chosen.get("purpose") as Purpose],
    model: text("model"),
    peak_requests_per_s: number("peak"),
    mean_requests_per_s: number("mean"),
    ...(kLatency[text("latency") ?? ""] ?? {}),
    tokens: number("tokens"),
    deadline_days: number("days"),
  });
  const constraints = given({
    ownership: text("ownership"),
    fabric: text("fabric"),
    rack_power_kw: number("rack"),
    liquid_cooling: chosen.get("cooling") === "air" ? false : undefined,
    sovereignty: chosen.get("data") === "none" ? undefined : text("data"),
    services: team === "partner" || team === "nvidia" ? team : undefined,
    no_staff: is("team", "nobody"),
    no_capital: is("capital", "no"),
  });
  const economics = given({ horizon_years: number("horizon"), region: text("region") });
  return { kind: "plan", workloads: [workload], constraints, economics };
}
