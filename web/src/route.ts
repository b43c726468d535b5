/** The screens of the site and which one the address asks for: `#/cost?s=…`, `#/data/gpus/h100-sxm5-80gb`, `#/` for the plan. */
import { signal } from "@preact/signals";

export type ScreenGroup = "plan" | "estimate" | "search" | "build" | "check" | "study" | "about";

/** Every screen with its group, in the order of the navigation. */
export const kScreens = {
  plan: "plan",
  compare: "plan",
  report: "plan",
  serving: "estimate",
  training: "estimate",
  deployments: "search",
  layouts: "search",
  architecture: "build",
  fabric: "build",
  mig: "build",
  cost: "check",
  claims: "check",
  statements: "check",
  rules: "check",
  host: "check",
  study: "study",
  data: "about",
  about: "about",
} as const satisfies Record<string, ScreenGroup>;
export type Screen = keyof typeof kScreens;

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
  const known = Object.keys(kScreens).find((screen) => screen === first && screen !== "plan");
  return known === undefined ? kHome : { screen: known as Screen, rest: rest.filter((word) => word !== "") };
}

/** True where a hash names a screen that the site does not have. */
export function leadsNowhere(hash: string): boolean {
  const [, first = ""] = (hash.replace(/^#/, "").split("?")[0] ?? "").split("/");
  return first !== "" && !Object.hasOwn(kScreens, first);
}

/** True where a hash names a screen and no state of it. */
export function isBare(hash: string): boolean {
  return !hash.includes("?");
}

/** The path of a screen in the address. */
export function pathOf(screen: Screen): string {
  return screen === "plan" ? "/" : `/${screen}`;
}

/** The route on show, and the address that each screen had when it was last left. */
export const route = signal<Route>(kHome);
export const lastHash = new Map<Screen, string>();

/** Where a link to a screen leads: back to what it showed last. */
export function addressOf(screen: Screen): string {
  return lastHash.get(screen) ?? `#${pathOf(screen)}`;
}
