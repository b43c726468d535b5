/** The screens of the site and which one the address asks for: `#/cost?s=…`, `#/data/gpus/h100-sxm5-80gb`, `#/` for the plan. */
import { signal } from "@preact/signals";
import { currency, kUsd } from "./currency.ts";

/** The screens of each area, in the order of the navigation. Those of the plan are views of one scenario. */
export const kAreas = {
  plan: ["plan", "speed", "money", "build", "run", "risk"],
  compare: ["compare"],
  machines: ["host"],
  check: ["claims", "statements", "rules"],
  library: ["data", "study", "about"],
} as const;
export type Area = keyof typeof kAreas;

/** Where one part of a plan is tried by hand, by the view that shows the part. */
export const kByHand = {
  speed: ["serving", "training", "deployments", "layouts"],
  money: ["cost"],
  build: ["architecture", "fabric", "mig"],
} as const;

/** The plan on paper: in the plan's area, and a page of its own. */
export const kPaper = "report";

export type PlanView = (typeof kAreas)["plan"][number];
export type Screen = (typeof kAreas)[Area][number] | typeof kPaper | (typeof kByHand)[keyof typeof kByHand][number];
/** The screens that share a state: all views of the plan have that of `plan`. */
export type PageName = Exclude<Screen, Exclude<PlanView, "plan">>;

export const kScreens: readonly Screen[] = [...Object.values(kAreas).flat(), kPaper, ...Object.values(kByHand).flat()];

export function isPlanView(screen: Screen): screen is PlanView {
  return kAreas.plan.some((view) => view === screen);
}

export function pageOf(screen: Screen): PageName {
  return isPlanView(screen) ? "plan" : screen;
}

/** The report belongs to the plan, and so does a screen for trying by hand. */
export function areaOf(screen: Screen): Area {
  const areas = Object.keys(kAreas) as Area[];
  return areas.find((area) => kAreas[area].some((other: Screen) => other === screen)) ?? "plan";
}

export interface Route {
  screen: Screen;
  /** Further words of the path. */
  rest: string[];
}

export const kHome: Route = { screen: "plan", rest: [] };

/** The screen of a hash; the plan where it names none, as in links from before there were screens. */
export function routeOf(hash: string): Route {
  const path = hash.replace(/^#/, "").split("?")[0] ?? "";
  const [, first = "", ...rest] = path.split("/");
  const known = kScreens.find((screen) => screen === first && screen !== "plan");
  return known === undefined ? kHome : { screen: known, rest: rest.filter((word) => word !== "") };
}

/** True where a hash names a screen that the site does not have. */
export function leadsNowhere(hash: string): boolean {
  const [, first = ""] = (hash.replace(/^#/, "").split("?")[0] ?? "").split("/");
  return first !== "" && !kScreens.some((screen) => screen === first);
}

/** True where a hash names a screen and no state of it. */
export function isBare(hash: string): boolean {
  return !withoutCurrency(hash).includes("?");
}

/** The path of a screen in the address. */
export function pathOf(screen: Screen): string {
  return screen === "plan" ? "/" : `/${screen}`;
}

/** What a hash says beside its screen. */
function stateIn(hash: string): string {
  const at = hash.indexOf("?");
  return at < 0 ? "" : hash.slice(at);
}

const kCurrency = /([?&])c=([^&]*)(&|$)/;

/** The currency that an address asks for, by its code. */
export function currencyIn(hash: string): string | undefined {
  return kCurrency.exec(hash)?.[2];
}

/** An address without a currency: what it says of its screen. */
export function withoutCurrency(hash: string): string {
  return hash.replace(kCurrency, (_, before: string, _id, after: string) => (after === "" ? "" : before));
}

/** An address that shows money in the currency on show to whoever opens it; US dollars need no word. */
export function withCurrency(hash: string): string {
  const bare = withoutCurrency(hash);
  const { id } = currency.peek();
  return id === kUsd.id ? bare : `${bare || "#/"}${bare.includes("?") ? "&" : "?"}c=${id}`;
}

/** Screens with money, whose addresses have its currency. */
function showsMoney(screen: Screen): boolean {
  return ["plan", "compare"].includes(areaOf(screen));
}

/** What the address bar has to say of a currency once the page shows another one than it asks for. */
export function addressNow(hash: string): string {
  return showsMoney(routeOf(hash).screen) && !leadsNowhere(hash) ? withCurrency(hash) : hash;
}

/** A visit that begins with a report has its plan in the address. */
export function takeReported(hash: string): void {
  if (routeOf(hash).screen === "report" && stateIn(hash) !== "")
    lastHash.set("plan", withoutCurrency(`#/${stateIn(hash)}`));
}

/** A state of the plan, seen in one of its views. */
export function seenIn(view: PlanView, hash: string): string {
  const state = stateIn(hash);
  return state === "" && view === "plan" ? "" : `#${pathOf(view)}${state}`;
}

/** The route on show, and the address that each page had when it was last left, without its currency; of the plan as its first view has it. */
export const route = signal<Route>(kHome);
export const lastHash = new Map<PageName, string>();

/** Where a link to a screen leads: back to what it showed last, in the currency on show. */
export function addressOf(screen: Screen): string {
  const address = lastAddressOf(screen);
  return showsMoney(screen) ? withCurrency(address) : address;
}

function lastAddressOf(screen: Screen): string {
  // The report is of the plan, and a link to it as well.
  if (screen === "report") return `#/report${stateIn(lastHash.get("plan") ?? "")}`;
  const last = lastHash.get(pageOf(screen));
  if (isPlanView(screen)) return seenIn(screen, last ?? "") || "#/";
  return last ?? `#${pathOf(screen)}`;
}
