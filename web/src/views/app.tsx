/** The site: the plan's answer is in the first file, its other views and every other screen come when they are asked for. */
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { language } from "../language.ts";
import { messages } from "../messages.ts";
import { type Page, PageContext } from "../page.ts";
import { isPlanView, type PageName, pageOf, route, type Screen } from "../route.ts";
import { Answer } from "./answer.tsx";
import { Deferred } from "./deferred.tsx";
import { Reasons } from "./details.tsx";
import { Frame } from "./frame.tsx";
import { Inputs } from "./inputs.tsx";
import { Failed, LazyExplanation, LazyFold, lazy } from "./lazy.tsx";
import { Notices } from "./notices.tsx";
import { ParetoChart } from "./pareto.tsx";
import { Plans } from "./plans.tsx";

interface ScreenProps {
  screen: PageName;
  plan: Page;
}
type ScreenPart = ReturnType<typeof lazy<ComponentType<ScreenProps>>>;

/** Screens that ask no single request; all others are drawn from the engine's schema and answer. */
const kOwn: Partial<Record<PageName, ScreenPart>> = {
  about: lazy(async () => (await import("../screens/about.tsx")).About),
  compare: lazy(async () => (await import("../screens/compare.tsx")).Compare),
  data: lazy(async () => (await import("../screens/data.tsx")).Data),
  host: lazy(async () => (await import("../host/host.tsx")).Host),
  report: lazy(async () => (await import("../screens/report.tsx")).Report),
  study: lazy(async () => (await import("../study/screens/study.tsx")).Study),
};
const whatIf = lazy(() => import("../screens/what_if.tsx"));
const planViews = lazy(async () => (await import("../screens/plan_views.tsx")).PlanViewBody);
const asking: ScreenPart = lazy(async () => (await import("../screens/ask_screen.tsx")).AskScreen);

/** Another language draws everything anew. */
export function App({ page }: { page: Page }) {
  return (
    <PageContext.Provider value={page}>
      {isPlanView(route.value.screen) ? (
        <PlanScreen key={language.value} />
      ) : (
        <LateScreen key={language.value} plan={page} />
      )}
    </PageContext.Provider>
  );
}

/** The question and the headline stay; what is below them is the view's own. */
function PlanScreen() {
  const { screen } = route.value;
  return (
    <Frame>
      <Notices />
      <Answer short={screen !== "plan"} />
      <div class="side">
        <LazyExplanation />
        <Deferred prompt>
          <Inputs />
        </Deferred>
      </div>
      <div class="rest">{screen === "plan" ? <AnswerView /> : <LateView key={screen} view={screen} />}</div>
    </Frame>
  );
}

function AnswerView() {
  return (
    <>
      <Deferred>
        <Plans />
      </Deferred>
      <Deferred>
        <ParetoChart />
      </Deferred>
      <Deferred>
        <LazyFold title={messages.whatIfTitle} part={whatIf}>
          {({ WhatIf }) => <WhatIf />}
        </LazyFold>
      </Deferred>
      <Deferred>
        <Reasons />
      </Deferred>
    </>
  );
}

function LateView({ view }: { view: Screen }) {
  const { load, view: loaded, failed } = planViews;
  useEffect(load, [load]);
  const Loaded = loaded.value;
  if (failed.value) return <Failed again={load} />;
  return Loaded === undefined ? <p class="note opening">{messages.loadingScreen}</p> : <Loaded view={view} />;
}

function LateScreen({ plan }: { plan: Page }) {
  const screen = pageOf(route.value.screen);
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
