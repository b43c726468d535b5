/** The site: the plan is in the first file, every other screen comes when it is asked for. */
import { useEffect } from "preact/hooks";
import { language } from "../language.ts";
import { messages } from "../messages.ts";
import { kHome, route } from "../route.ts";
import { type Page, PageContext } from "../state.ts";
import { Answer } from "./answer.tsx";
import { Details } from "./details.tsx";
import { Frame } from "./frame.tsx";
import { Inputs } from "./inputs.tsx";
import { Failed, LateExplanation, part } from "./late.tsx";
import { Later } from "./later.tsx";
import { Notices } from "./notices.tsx";
import { ParetoChart } from "./pareto.tsx";
import { Plans } from "./plans.tsx";
import { RentOrOwn } from "./rent_or_own.tsx";

const screens = part(async () => (await import("../screens/screens.tsx")).OtherScreen);

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
        <LateExplanation />
        <Later prompt>
          <Inputs />
        </Later>
      </div>
      <div class="rest">
        <Later>
          <Plans />
        </Later>
        <Later>
          <ParetoChart />
        </Later>
        <Later>
          <RentOrOwn />
        </Later>
        <Later>
          <Details />
        </Later>
      </div>
    </Frame>
  );
}

function LateScreen({ plan }: { plan: Page }) {
  useEffect(screens.load, []);
  const Loaded = screens.view.value;
  if (Loaded !== undefined) return <Loaded plan={plan} />;
  return (
    <Frame single>
      {screens.failed.value ? <Failed again={screens.load} /> : <p class="note opening">{messages.loadingScreen}</p>}
    </Frame>
  );
}
