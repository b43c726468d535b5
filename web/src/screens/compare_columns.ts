/** What stands side by side: the plan on show, saved ones, or suggested variants; each a page of its own beside the address bar. */
import { type JsonObject, mergePatch, textAt } from "../json.ts";
import { decodeLink, encodeLink } from "../link.ts";
import type { Page } from "../page.ts";
import { lastHash, type PageName, pageOf, routeOf } from "../route.ts";
import { nameOf, type State } from "../state.ts";
import type { Scenario } from "../tools/scenarios.ts";
import { formTexts } from "./form_texts.ts";
import { openBeside } from "./page_beside.tsx";
import { kOwnership, type Way } from "./plan_question.ts";
import { type Input, inputsOf } from "./report_parts.ts";
import { loadRequests } from "./requests.ts";
import { texts } from "./texts.ts";
import { variantsOf } from "./wishes.ts";

export interface Column {
  name: string;
  /** The address that opens it. */
  hash: string;
  page: Page;
}

const kVariants = 3;

/** The address of the plan on show. */
export function planAddress(): string {
  return lastHash.get("plan") ?? "#/";
}

function explainOf(screen: PageName): "at the top" | "never" {
  return screen === "statements" ? "never" : "at the top";
}

/** The page of a kept scenario: its request asked anew. */
async function openScenario(plan: Page, name: string, hash: string): Promise<Column> {
  const screen = pageOf(routeOf(hash).screen);
  const { initial } = plan.state;
  const preset = screen === "plan" ? initial.preset : (await loadRequests(screen)).examples[0]?.request;
  const link = await decodeLink(preset ?? {}, hash);
  const request = link.kind === "state" ? link.request : (preset ?? {});
  const asking = screen === "plan" ? undefined : ({ screen, explain: explainOf(screen) } as const);
  const page = await openBeside(initial, request, asking);
  if (link.kind === "state") page.state.selected.value = link.plan;
  return { name, hash, page };
}

/** The plan on show, and what else could be asked. */
async function openVariants(plan: Page): Promise<Column[]> {
  const now = await openScenario(plan, texts.wishNow, planAddress());
  const { initial, answer, answered, selected } = now.page.state;
  const request = answered.value;
  const plans = answer.value.plans ?? [];
  const shown = plans[selected.value];
  const ordered = shown === undefined ? plans : [shown, ...plans.filter((one) => one !== shown)];
  const wishes = variantsOf(request, ordered, (gpu) => nameOf(initial.gpus, gpu)).slice(0, kVariants);
  const others = wishes.map(async ({ name, patch }) => {
    const asked = mergePatch(request, patch) as JsonObject;
    const hash = (await encodeLink(initial.preset, { request: asked, plan: 0 })) || "#/";
    return { name, hash, page: await openBeside(initial, asked) };
  });
  return [now, ...(await Promise.all(others))];
}

/** Saved plans side by side; one alone next to the plan on show; without one that differs from it, the suggested variants. */
export async function openColumns(plan: Page, shown: readonly Scenario[]): Promise<Column[]> {
  const others = shown.length === 1 ? shown.filter(({ hash }) => hash !== planAddress()) : shown;
  if (others.length === 0) return openVariants(plan);
  const saved = others.map(({ name, hash }) => openScenario(plan, name, hash));
  const now = others.length === 1 ? [openScenario(plan, texts.wishNow, planAddress())] : [];
  return Promise.all([...now, ...saved]);
}

/** An input that is not the same in every column: its text in each, undefined where the column does not give it. */
export interface ChangedInput {
  place: string;
  /** The workload that it belongs to, counted from 0, where a request has several. */
  workload: number | undefined;
  label: string;
  texts: (string | undefined)[];
}

/** Whether to rent or buy as the form asks it; kinds of machines keep their own words. */
const kWayOf: Readonly<Record<string, Way>> = { any: "either", cloud: "rent", oem: "buy" };

function textsOf(state: State): Map<string, Input> {
  const inputs = new Map(inputsOf(state).map((input) => [input.place, input]));
  const asked = textAt(state.answered.value, kOwnership) ?? "any";
  const way = kWayOf[asked];
  if (way !== undefined) inputs.set(kOwnership, { place: kOwnership, label: formTexts.way, text: formTexts.ways[way] });
  return inputs;
}

export function changedInputs(states: readonly State[]): ChangedInput[] {
  const all = states.map(textsOf);
  const inputs = new Map<string, Input>(all.flatMap((one) => [...one]));
  const hasSeveral = [...inputs.keys()].some((place) => place.startsWith("/workloads/1/"));
  return [...inputs].flatMap(([place, { label }]) => {
    const said = all.map((one) => one.get(place)?.text);
    if (new Set(said).size < 2) return [];
    const workload = hasSeveral ? /^\/workloads\/(\d+)\//.exec(place)?.[1] : undefined;
    return [{ place, workload: workload === undefined ? undefined : Number(workload), label, texts: said }];
  });
}
