/** The pages of other screens, changed from the one on show: every change is an edit of the page itself, so it can be undone there. */
import type { PlanAnswer } from "../contract.ts";
import { isObject, type Json } from "../json.ts";
import { encodeLink } from "../link.ts";
import type { Page } from "../page.ts";
import { knownPage, openPage } from "../pages.ts";
import { lastHash, type PageName, pathOf } from "../route.ts";
import { loadRequests } from "./requests.ts";

const kNoAnswer: PlanAnswer = { feasible: true };

/** The page of a screen that asks the engine, opened with its first example where it was not shown yet. */
export async function pageFor(screen: PageName, plan: Page): Promise<Page | undefined> {
  if (screen === "plan") return plan;
  const known = knownPage(screen);
  if (known !== undefined) return known;
  const preset = (await loadRequests(screen)).examples[0]?.request;
  if (preset === undefined) return undefined;
  const initial = { ...plan.state.initial, preset, answer: kNoAnswer };
  return knownPage(screen) ?? openPage(initial, { screen, explain: "at the top" });
}

/** Edits a page, and makes its address lead to the edited request at once. */
export async function editPage(page: Page, request: Json): Promise<void> {
  if (!isObject(request)) return;
  const { state, controller } = page;
  controller.edit("", request);
  const { screen } = state.asking;
  const path = pathOf(screen);
  const hash = await encodeLink(state.initial.preset, { request, plan: state.selected.value }, path);
  lastHash.set(screen, hash === "" ? `#${path}` : hash);
}
