/** The site: the plan is in the first file, every other screen comes when it is asked for. */
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { language } from "../language.ts";
import { messages } from "../messages.ts";
import { type Page, PageContext } from "../page.ts";
import { kHome, route, type Screen } from "../route.ts";
import { Answer } from "./answer.tsx";
import { Deferred } from "./deferred.tsx";
import { Details } from "./details.tsx";
import { Frame } from "./frame.tsx";
import { Inputs } from "./inputs.tsx";
import { Failed, LazyExplanation, lazy } from "./lazy.tsx";
import { Notices } from "./notices.tsx";
import { ParetoChart } from "./pareto.tsx";
import { Plans } from "./plans.tsx";
import { RentOrOwn } from "./rent_or_own.tsx";

interface ScreenProps {
  screen: Screen;
  plan: Page;
}
type ScreenPart = ReturnType<typeof lazy<ComponentType<ScreenProps>>>;

/** Screens that ask no single request; all others are drawn from the engine's schema and answer. */
const kOwn: Partial<Record<Screen, ScreenPart>> = {
  about: lazy(async () => (await import("../screens/about.tsx")).About),
  compare: lazy(async () => (await import("../screens/compare.tsx")).Compare),
  data: lazy(async () => (await import("../screens/data.tsx")).Data),
  host: lazy(async () => (await import("../host/host.tsx")).Host),
  report: lazy(async () => (await import("../screens/report.tsx")).Report),
  study: lazy(async () => (await import("../study/screens/study.tsx")).Study),
};
const asking: ScreenPart = lazy(async () => (await import("../screens/ask_screen.tsx")).AskScreen);

/** Another language draws everything anew. */
export function App({ page }: { page: Page }) {
  return (
    <PageContext.Provider value={page}>
      {route.value.screen === kHome.screen ? (
        <PlanScreen key={language.value} />
      ) : (
        <LateScreen key={language.value} plan={page} />
      )}
    </PageContext.Provider>
  );
}

function PlanScreen() {
  return (
    <Frame>
      <Notices />
      <Answer />
      <div class="side">
        <LazyExplanation />
        <Deferred prompt>
          <Inputs />
        </Deferred>
      </div>
      <div class="rest">
        <Deferred>
          <Plans />
        </Deferred>
        <Deferred>
          <ParetoChart />
        </Deferred>
        <Deferred>
          <RentOrOwn />
        </Deferred>
        <Deferred>
          <Details />
        </Deferred>
      </div>
    </Frame>
  );
}

function LateScreen({ plan }: { plan: Page }) {
  const { screen } = route.value;
  const { load, view, failed } = kOwn[screen] ?? asking;
  useEffect(load, [load]);
  const Loaded = view.value;
  if (Loaded !== undefined) return <Loaded key={screen} screen={screen} plan={plan} />;
  return (
    <Frame single>
      {failed.value ? <Failed again={load} /> : <p class="note opening">{messages.loadingScreen}</p>}
    </Frame>
  );
}
