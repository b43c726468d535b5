/** Every screen but the first. This file and what only it needs are loaded when one of them is asked for. */
import { Host } from "../host/host.tsx";
import { kHome, route } from "../route.ts";
import type { Page } from "../state.ts";
import { About } from "./about.tsx";
import { AskScreen } from "./ask_screen.tsx";
import { Compare } from "./compare.tsx";
import { Data } from "./data.tsx";
import { Report } from "./report.tsx";
import "./screens.css";

export function OtherScreen({ plan }: { plan: Page }) {
  const { screen } = route.value;
  if (screen === kHome.screen) return null;
  if (screen === "data") return <Data />;
  if (screen === "about") return <About />;
  if (screen === "compare") return <Compare plan={plan} />;
  if (screen === "host") return <Host plan={plan} />;
  if (screen === "report") return <Report plan={plan} />;
  return <AskScreen key={screen} screen={screen} plan={plan} />;
}
