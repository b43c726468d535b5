/**
 * Messages of the engine as the page reads them. The engine is the authority: every field may be absent, because what is
 * not modelled is absent from an answer, and the page then shows nothing in its place.
 */
import type { JsonObject } from "./json.ts";

/** A `plan` request. It is kept as plain JSON, so that fields that the form does not know survive in links. */
export type PlanRequest = JsonObject;

export interface RequestError {
  code: string;
  path: string;
  message: string;
  hint?: string;
}

/** What the engine says: an English sentence, and the code and the values by which it is said in another language. */
export interface Message {
  code?: string;
  /** Its own code, where `code` is that of what it is about. */
  sentence?: string;
  message: string;
  values?: Record<string, number | string | Message[]>;
}

export interface Reason extends Message {
  shortfall?: number;
  unit?: string;
  /** JSON Merge Patches of the request, or of the workload that failed. */
  ways_out?: JsonObject[];
}

/** A GPU that gave no plan, with the reason. */
export interface Rejected extends Reason {
  gpu?: string;
  workload?: string;
}

type Sizes = Record<string, number | boolean | string>;

export interface Layout {
  workload?: string;
  gpu_count?: number;
  parallelism?: Sizes;
  pools?: Record<"prefill" | "decode", { parallelism?: Sizes }>;
  draft_tokens?: number;
  weight_precision?: string;
  precision?: string;
}

export interface Estimate {
  workload?: string;
  binding?: Message & { limit?: string };
  /** What was read of a model's file, and what of it was not understood. */
  model_notes?: Message[];
  [group: string]: unknown;
}

export interface FiredRule {
  rule?: number;
  text: string;
  source?: string;
}

export interface Architecture {
  title?: string;
  system_name?: string;
  nodes?: number;
  rules_fired?: FiredRule[];
}

/** A number of a plan. */
export interface ShownNumber {
  /** From the plan; a target may be one of the request. */
  place: string;
  /** As the engine writes it, and so does the page. */
  text?: string;
}

/** A number that a plan is judged by. */
export interface HeadlineNumber {
  id: "gpus" | "first_token" | "output_token" | "run_time" | "memory" | "cost_per_year" | "purchase";
  workload?: string;
  statistic?: "p95" | "mean" | "typical";
  value: ShownNumber;
  low?: ShownNumber;
  high?: ShownNumber;
  target?: ShownNumber;
  probability?: ShownNumber;
}

/** Numbers of a plan are read by their place in the answer; only what is read as words or shape is named here. */
export interface Plan {
  summary?: string;
  gpu?: string;
  gpu_name?: string;
  gpu_count?: number;
  headlines?: HeadlineNumber[];
  layouts?: Layout[];
  estimates?: Estimate[];
  architecture?: Architecture;
  cost?: { missing?: string[]; left_out?: string[]; [way: string]: unknown };
  /** Of paying, as decided: "own", "rent-on-demand", "rent-committed" or "hybrid". */
  way?: string;
  /** Rent or buy, in a sentence. */
  decision?: Message;
  /** Limits that cannot be shown to hold. */
  unchecked?: Message[];
  /** What speaks for which way. */
  decision_factors?: (Omit<Message, "message"> & { rule: string; towards: string; decides: boolean; text: string })[];
  reasons?: Message[];
  risks?: Message[];
}

/** Layouts that no other layout of the same GPU beats in both GPUs and time per output token: one list a column. */
export interface Pareto {
  gpu: string[];
  gpu_count: number[];
  layout: string[];
  /** Absent for training. */
  ttft_without_wait_s?: number[];
  tpot_s?: number[];
  /** Absent for serving. */
  run_s?: number[];
  usd_per_hour?: (number | null)[];
  it_power_kw?: (number | null)[];
}

/** A default that stands in for what the request left open, or a statement about the whole answer. */
export interface Assumption {
  path?: string;
  value?: unknown;
  source?: string;
  message?: string;
}

export interface TraceEntry {
  id: string;
  at?: string[];
  value: number;
  unit?: string;
  equation?: string;
  inputs?: string[];
  names?: string[];
  source?: string;
}

export type Load = { workload: string; peak_requests_per_s: number; tokens_per_day: number } & JsonObject;

export interface PlanAnswer {
  kind?: string;
  feasible: boolean;
  /** Of each serving workload, in each way in which it can be given. */
  loads?: Load[];
  plans?: Plan[];
  reasons?: Reason[];
  pareto?: Pareto;
  rejected?: Rejected[];
  what_would_change_the_decision?: Message[];
  /** What was found in place of a number of the request. */
  goal?: Message;
  not_modelled?: string[];
  assumptions?: Assumption[];
  podwright_version?: string;
  catalog_digest?: string;
  trace?: TraceEntry[];
}

/** A source of the catalog, by whose id explanations name it. */
export interface Source {
  id: string;
  title?: string;
  publisher?: string;
  url?: string;
  date?: string;
  kind?: string;
}

/** One item of a catalog list: what a chooser needs. */
export interface Named {
  id: string;
  name: string;
}

export interface CatalogItem extends Named {
  group: string;
}

/** What the build writes into the page: the preset, its answer, and the lists for the choosers. */
export interface InitialData {
  /** The command of a kind of request, where it is not called as the kind is. */
  readonly verbs: Readonly<Record<string, string>>;
  preset: PlanRequest;
  answer: PlanAnswer;
  models: CatalogItem[];
  gpus: CatalogItem[];
  /** Places that the preset's answer names; all others are read with the form. */
  places?: Named[];
  /** Day of the newest price of the catalog, from which the engine counts ages of prices where a request names no day. */
  price_day?: string;
}
