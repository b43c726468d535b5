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

export interface Reason {
  code?: string;
  message: string;
  shortfall?: number;
  unit?: string;
  ways_out?: JsonObject[];
}

export interface Rejected {
  gpu?: string;
  reason?: Reason;
}

export interface Layout {
  workload?: string;
  gpu?: string;
  gpu_count?: number;
  parallelism?: Record<string, number | boolean | string>;
  weight_precision?: string;
  kv_precision?: string;
}

export interface MemoryPerGpu {
  total_gib?: number;
  capacity_gib?: number;
  [part: string]: number | undefined;
}

export interface Estimate {
  workload?: string;
  memory_per_gpu?: MemoryPerGpu;
  kv_cache?: Record<string, number>;
  admitted_concurrency?: number;
  latency?: Record<string, number>;
  throughput?: Record<string, number>;
  stable?: boolean;
  binding?: { limit?: string; message?: string };
}

export interface CloudCost {
  provider?: string;
  instance?: string;
  region?: string;
  as_of?: string;
  usd_per_million_output_tokens?: number;
  [key: string]: unknown;
}

export interface Plan {
  rank?: number;
  summary?: string;
  gpu?: string;
  gpu_count?: number;
  nodes?: number;
  layouts?: Layout[];
  estimates?: Estimate[];
  architecture?: Record<string, unknown>;
  cost?: { cloud?: CloudCost; on_premises?: Record<string, unknown>; hybrid?: Record<string, unknown> };
  reasons?: (string | Reason)[];
  risks?: (string | Reason)[];
}

export interface Assumption {
  path: string;
  value?: unknown;
  unit?: string;
  source?: string;
}

export interface TraceEntry {
  id: string;
  at?: string[];
  formula?: string;
  value: number;
  unit?: string;
  equation?: string;
  inputs?: string[];
  names?: string[];
  source?: string;
}

export interface PlanAnswer {
  kind?: string;
  feasible: boolean;
  plans?: Plan[];
  reasons?: Reason[];
  rejected?: Rejected[];
  not_modelled?: (string | Reason)[];
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
export interface CatalogItem {
  id: string;
  name: string;
  group: string;
}

/** What the build writes into the page: the preset, its answer, and the lists for the choosers. */
export interface InitialData {
  preset: PlanRequest;
  answer: PlanAnswer;
  models: CatalogItem[];
  gpus: CatalogItem[];
}
