/** A screen that asks the engine one kind of request: the answer, the form, and everything else that the answer holds. */
import { useEffect, useState } from "preact/hooks";
import type { PlanAnswer } from "../contract.ts";
import { canonical, isObject, type JsonObject } from "../json.ts";
import { encodeLink } from "../link.ts";
import { fill, messages } from "../messages.ts";
import { type Page, PageContext, usePage } from "../page.ts";
import { knownPage, openPage, replaceHash } from "../pages.ts";
import { isBare, kByHand, type PageName, pathOf, route, type Screen } from "../route.ts";
import type { Asking } from "../state.ts";
import { keepFile } from "../tools/keep_file.ts";
import { Deferred } from "../views/deferred.tsx";
import { Assumptions } from "../views/details.tsx";
import { Fold, Texts } from "../views/fold.tsx";
import { Frame } from "../views/frame.tsx";
import { Failed, LazyExplanation } from "../views/lazy.tsx";
import { Notices } from "../views/notices.tsx";
import { ObjectView, Part } from "./answer_part.tsx";
import { chosenOf, requestByHand } from "./by_hand.ts";
import { SchemaForm } from "./form.tsx";
import { Headline } from "./headline.tsx";
import { OnPhoneFolded } from "./phone_fold.tsx";
import { type Example, loadRequests, type ScreenRequests } from "./requests.ts";
import { AlikeHeading, AlikeTable } from "./tables.tsx";
import { exampleNames, screenNotes, texts } from "./texts.ts";
import { runsAlike } from "./words.ts";
import "./screens.css";

/** How a screen asks: where explanations are wanted, and the fields that the screen itself has decided. */
const kAsking: Partial<Record<PageName, { explain: Asking["explain"]; hidden?: readonly string[] }>> = {
  serving: { explain: "at the top" },
  training: { explain: "at the top" },
  deployments: { explain: "at the top", hidden: ["type"] },
  layouts: { explain: "at the top", hidden: ["type"] },
  architecture: { explain: "at the top" },
  fabric: { explain: "at the top" },
  mig: { explain: "at the top" },
  cost: { explain: "at the top" },
  claims: { explain: "at the top", hidden: ["topic", "number", "verdict", "request", "at"] },
  statements: { explain: "never", hidden: ["claim", "request", "at"] },
  rules: { explain: "at the top" },
};

/** What the page shows of a link's request before the engine has answered: nothing. */
const kNoAnswer: PlanAnswer = { feasible: true };

interface AskScreenProps {
  screen: PageName;
  plan: Page;
}

/** A screen that tries a part of the plan opens with that of the plan on show, where its address names no state of its own. */
async function open(screen: PageName, plan: Page): Promise<ScreenRequests> {
  const requests = await loadRequests(screen);
  const preset = requests.examples[0]?.request;
  const chosen = chosenOf(plan.state);
  const request = chosen && requestByHand(screen, chosen);
  if (preset !== undefined && request !== undefined && isBare(location.hash) && knownPage(screen) === undefined)
    replaceHash(await encodeLink(preset, { request, plan: 0 }, pathOf(screen)));
  return requests;
}

export function AskScreen({ screen, plan }: AskScreenProps) {
  const [requests, setRequests] = useState<ScreenRequests>();
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    open(screen, plan).then(setRequests, () => setFailed(true));
  };
  useEffect(load, [screen]);
  const first = requests?.examples[0];
  if (requests === undefined || first === undefined) {
    return (
      <Frame single>{failed ? <Failed again={load} /> : <p class="note opening">{messages.loadingScreen}</p>}</Frame>
    );
  }
  const asking: Asking = { screen, explain: kAsking[screen]?.explain ?? "at the top" };
  // The answer of the first example is none to a link's request.
  const answer = (isBare(location.hash) ? requests.answer : undefined) ?? kNoAnswer;
  const page = knownPage(screen) ?? openPage({ ...plan.state.initial, preset: first.request, answer }, asking);
  return (
    <PageContext.Provider value={page}>
      <Asked key={screen} requests={requests} hidden={kAsking[screen]?.hidden ?? []} plan={plan} />
    </PageContext.Provider>
  );
}

interface AskedProps {
  requests: ScreenRequests;
  hidden: readonly string[];
  plan: Page;
}

function Asked({ requests, hidden, plan }: AskedProps) {
  const { state, controller } = usePage();
  const { screen } = state.asking;
  useEffect(() => {
    const start = () => {
      if (route.peek().screen === screen) void controller.followLink();
    };
    if (state.engine.peek() === "ready") start();
    else void controller.start();
    addEventListener("hashchange", start);
    return () => removeEventListener("hashchange", start);
  }, [controller, state, screen]);
  // What stands below the headline comes with it: it would be pushed down by it.
  const isWaiting =
    state.answer.value.kind === undefined && state.errors.value.length === 0 && state.engine.value !== "failed";
  const isChanged = canonical(state.request.value) !== canonical(state.initial.preset);
  return (
    <Frame>
      <Notices />
      <section class="answer" aria-labelledby="headline" aria-busy={state.busy.value}>
        <p class="row kicker">
          <span class="badge">{messages.screens[screen]}</span>
          <span class="working" aria-hidden="true">
            {state.busy.value ? messages.updating : ""}
          </span>
        </p>
        {state.errors.value.length > 0 ? <p class="stale">{messages.staleAnswer}</p> : null}
        <Headline />
        {isWaiting ? null : (
          <p class="note about-screen">
            {screenNotes[screen]} <Beginning plan={plan} isChanged={isChanged} />
          </p>
        )}
      </section>
      <div class={isWaiting ? "side opening unscripted" : "side"}>
        <LazyExplanation />
        <form class="inputs" aria-labelledby="inputs" onSubmit={(event) => event.preventDefault()}>
          <h2 id="inputs" tabIndex={-1}>
            {texts.request}
          </h2>
          <Examples examples={requests.examples} />
          <OnPhoneFolded summary={messages.changeInputs} open={state.errors.value.length > 0}>
            <SchemaForm schema={requests.schema} hidden={hidden} />
            <p class="note">{messages.inputsNote}</p>
            <button type="button" disabled={!isChanged} onClick={() => controller.reset()}>
              {messages.reset}
            </button>
          </OnPhoneFolded>
        </form>
      </div>
      <div class="rest">
        <Deferred>
          <AnswerParts />
        </Deferred>
      </div>
    </Frame>
  );
}

const kTriedByHand: readonly Screen[] = Object.values(kByHand).flat();

/** Where a part of the plan is tried by hand: what the numbers began with, the plan on show or an example that is none of it. */
function Beginning({ plan, isChanged }: { plan: Page; isChanged: boolean }) {
  const { screen } = usePage().state.asking;
  if (!kTriedByHand.includes(screen)) return null;
  const chosen = chosenOf(plan.state);
  const request = chosen && requestByHand(screen, chosen);
  const notes: Record<string, string> = texts.notOfThePlan;
  if (request !== undefined) {
    const isOfPlan = canonical(usePage().state.request.value) === canonical(request);
    const note = screen === "cost" ? texts.costOfThePlan : texts.ofThePlan;
    return isOfPlan ? <span>{note}</span> : null;
  }
  return isChanged ? null : <strong class="foreign">{notes[screen] ?? texts.notOfThePlan.other}</strong>;
}

/** Starting points; taking one is an edit like any other, so it can be undone. */
export function Examples({ examples }: { examples: readonly Example[] }) {
  const { state, controller } = usePage();
  if (examples.length < 2) return null;
  const now = canonical(state.request.value);
  return (
    <div class="examples">
      <h3>{texts.examples}</h3>
      <ul class="row">
        {examples.map(({ name, request }) => (
          <li key={name}>
            <button
              type="button"
              class="small"
              aria-pressed={canonical(request) === now}
              onClick={() => controller.edit("", request)}
            >
              {exampleNames[name] ?? name.replaceAll("_", " ")}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Keys that the headline, the frame or the form show already. */
const kShownElsewhere = new Set(
  "kind type question feasible summary gpu gpu_count model objective trace assumptions not_modelled podwright_version catalog_digest binding reasons verdict topic parameters weights_gb scripts stable".split(
    " ",
  ),
);

/** What decides stands first, then what it is made of; how much was looked through is told last. */
const kFirst = "decision break_even deployments layouts pareto distribution tornado decision_flips".split(" ");
const kLast = ["model_parameters"];
const kAboutTheSearch = new Set(["legal_layouts", "evaluated", "pruned"]);

function inOrder(keys: readonly string[]): string[] {
  const others = keys.filter((key) => !kFirst.includes(key) && !kLast.includes(key));
  const has = (key: string) => keys.includes(key);
  return [...kFirst.filter(has), ...others, ...kLast.filter(has)];
}

/** One mark is no choice between faster and cheaper. */
function isOneMark(key: string, value: unknown): boolean {
  return (
    key === "pareto" && isObject(value) && Object.values(value).every((list) => Array.isArray(list) && list.length < 2)
  );
}

/** Everything that the answer holds: objects and lists as parts of their own, single numbers and words together before them. */
export function AnswerParts() {
  const { state } = usePage();
  const answer = state.answer.value;
  const values = answer as unknown as JsonObject;
  const keys = inOrder(Object.keys(answer).filter((key) => !kShownElsewhere.has(key) && !isOneMark(key, values[key])));
  const missing = answer.not_modelled ?? [];
  const isPart = (key: string) => typeof values[key] === "object" || isLongText(values[key]);
  const scalars = keys.filter((key) => !isPart(key));
  if (answer.kind === undefined) return null;
  return (
    <section class="details">
      <ScalarsCard title={texts.inShort} keys={scalars.filter((key) => !kAboutTheSearch.has(key))} />
      {runsAlike(values, keys.filter(isPart)).map(([key = "", ...others]) => (
        <Deferred key={key}>
          {others.length === 0 ? (
            <Part place={`/${key}`} />
          ) : (
            <section class="card part">
              <AlikeHeading names={[key, ...others]} level={2} />
              <AlikeTable place="" names={[key, ...others]} />
            </section>
          )}
        </Deferred>
      ))}
      <ScalarsCard title={texts.theSearch} keys={scalars.filter((key) => kAboutTheSearch.has(key))} />
      <Assumptions items={answer.assumptions ?? []} />
      {missing.length === 0 ? null : (
        <Fold title={fill(messages.notModelledTitle, { count: missing.length })}>
          <p class="note">{messages.notModelledNote}</p>
          <Texts items={missing} />
        </Fold>
      )}
      <Downloads />
    </section>
  );
}

/** Single numbers and words of the answer. */
function ScalarsCard({ title, keys }: { title: string; keys: readonly string[] }) {
  const values = usePage().state.answer.value as unknown as JsonObject;
  if (keys.length === 0) return null;
  return (
    <section class="card part">
      <h2>{title}</h2>
      <ObjectView place="" object={Object.fromEntries(keys.map((key) => [key, values[key]])) as JsonObject} />
    </section>
  );
}

function isLongText(value: unknown): boolean {
  return typeof value === "string" && value.includes("\n");
}

function Downloads() {
  const { state } = usePage();
  const { screen } = state.asking;
  const keep = (what: string, value: unknown) =>
    keepFile(`podwright-${screen}-${what}.json`, JSON.stringify(value, null, 2), "application/json");
  const { trace: _trace, ...answer } = state.answer.value;
  if (!isObject(state.request.value)) return null;
  return (
    <p class="row downloads">
      <button type="button" onClick={() => keep("request", state.request.value)}>
        {texts.downloadRequest}
      </button>{" "}
      <button type="button" onClick={() => keep("answer", answer)}>
        {texts.downloadAnswer}
      </button>{" "}
      <button type="button" onClick={() => print()}>
        {texts.print}
      </button>
    </p>
  );
}
