/** The views of the plan on show beside its answer: each is made of the plan's own numbers, and leads to where its part is tried by hand. */
import { useEffect, useState } from "preact/hooks";
import type { Message } from "../contract.ts";
import { isObject, type JsonObject, textAt, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { type Page, usePage } from "../page.ts";
import { addressOf, kByHand, type PageName, type Screen } from "../route.ts";
import { shownPlan } from "../state.ts";
import { Deferred } from "../views/deferred.tsx";
import { ArchitectureBody, CostBody, EstimateBody, LayoutBody } from "../views/detail_bodies.tsx";
import { Assumptions, mayHaveDraws } from "../views/details.tsx";
import { Figure } from "../views/figure.tsx";
import { Fold, TextBlock, Texts } from "../views/fold.tsx";
import { LazyFold, lazy } from "../views/lazy.tsx";
import { Sentence } from "../views/sentence.tsx";
import { Part } from "./answer_part.tsx";
import { chosenOf, requestByHand } from "./by_hand.ts";
import { CopyableText, FileView, LaunchCommands } from "./files.tsx";
import { Beside, openBeside } from "./page_beside.tsx";
import { editPage, pageFor } from "./page_of_screen.ts";
import { PlanRisk } from "./plan_risk.tsx";
import { RentOrOwn } from "./rent_or_own.tsx";
import { texts } from "./texts.ts";
import "./screens.css";

const day = lazy(() => import("./plan_day.tsx"));

const kViews: Partial<Record<Screen, typeof SpeedView>> = {
  speed: SpeedView,
  money: MoneyView,
  build: BuildView,
  run: RunView,
  risk: RiskView,
};

export function PlanViewBody({ view }: { view: Screen }) {
  const place = shownPlan(usePage().state)?.place;
  const View = kViews[view];
  // Why there is no plan stands above.
  if (place === undefined || View === undefined) return null;
  return (
    <div class="details">
      <View place={place} />
      <ByHand screens={(kByHand as Partial<Record<Screen, readonly PageName[]>>)[view] ?? []} />
    </div>
  );
}

interface ViewProps {
  /** Of the plan in the answer. */
  place: string;
}

/** One part of a view under its title; `of` names the workload where there are several. */
function Card({ title, of, children }: { title: string; of?: string | undefined; children: preact.ComponentChildren }) {
  return (
    <section class="card part">
      <h2>{of === undefined ? title : `${title}: ${of}`}</h2>
      {children}
    </section>
  );
}

/** The name of each workload where there are several. */
function useWorkloads(): readonly { index: number; name: string | undefined; binding: Message | undefined }[] {
  const { estimates = [] } = shownPlan(usePage().state)?.plan ?? {};
  return estimates.map(({ workload, binding }, index) => ({
    index,
    name: estimates.length < 2 ? undefined : workload,
    binding,
  }));
}

function SpeedView({ place }: ViewProps) {
  const { state } = usePage();
  const serves = (index: number) => isObject(valueAt(state.answer.value, `${place}/estimates/${index}/latency`));
  return (
    <>
      {useWorkloads().map(({ index, name, binding }) => (
        <Deferred key={index}>
          <Card title={messages.speedTitle} of={name}>
            <EstimateBody place={`${place}/estimates/${index}`} limit={binding} />
          </Card>
          <Card title={messages.layoutTitle} of={name}>
            <LayoutBody place={`${place}/layouts/${index}`} />
          </Card>
          {serves(index) ? (
            <LazyFold
              title={name === undefined ? messages.dayTitle : `${messages.dayTitle}: ${name}`}
              part={day}
              open={valueAt(state.answered.value, `/workloads/${index}/traffic`) !== undefined}
            >
              {({ PlanDay }) => <PlanDay place={place} index={index} />}
            </LazyFold>
          ) : null}
        </Deferred>
      ))}
    </>
  );
}

function MoneyView({ place }: ViewProps) {
  return (
    <>
      <Deferred>
        <RentOrOwn />
      </Deferred>
      <Deferred>
        <Card title={messages.costTitle}>
          <CostBody place={`${place}/cost`} />
        </Card>
      </Deferred>
    </>
  );
}

/** Parts of a built plan, in the order in which they are looked for. */
const kOfDesign = ["compute_fabric", "storage_fabric", "in_band", "out_of_band", "storage", "bill_of_materials"];

/** Of what the design is, where the recommended way does not own all of it. */
function Designed({ place }: ViewProps) {
  const { state } = usePage();
  const way = textAt(state.answer.value, `${place}/way`) ?? "own";
  if (way === "own") return null;
  const figure = (under: string) => <Figure place={`${place}/${under}`} />;
  return (
    <p class="note">
      <Sentence
        template={way === "hybrid" ? texts.designOfBase : texts.designOfRented}
        parts={{
          all: figure("gpu_count"),
          own: figure("cost/hybrid/own_gpus"),
          rented: figure("cost/hybrid/rented_gpus_peak"),
        }}
      />
    </p>
  );
}

function BuildView({ place }: ViewProps) {
  const { state } = usePage();
  const chosen = chosenOf(state);
  const request = chosen && requestByHand("architecture", chosen);
  const isDesigned = isObject(valueAt(state.answer.value, `${place}/architecture`));
  if (!isDesigned) return <p class="note">{texts.noDesign}</p>;
  return (
    <>
      <Designed place={place} />
      <Asked request={request && { ...request, exports: ["topology-svg", "elevation-svg"] }}>
        {() => <Drawings />}
      </Asked>
      <Deferred>
        <Card title={messages.architectureTitle}>
          <ArchitectureBody place={place} />
        </Card>
      </Deferred>
      {kOfDesign.map((key) => (
        <Deferred key={key}>
          <Part place={`${place}/${key}`} />
        </Deferred>
      ))}
    </>
  );
}

/** The drawings of the first design of the answer around it. */
function Drawings() {
  const list = valueAt(usePage().state.answer.value, "/designs/0/exports");
  const drawn = Array.isArray(list) ? list.filter(isObject) : [];
  return (
    <Card title={texts.drawingsTitle}>
      {drawn.map(({ name, text }) => (
        <FileView key={String(name)} name={String(name).replace(/\.svg$/, "")} text={String(text)} />
      ))}
    </Card>
  );
}

function RunView({ place }: ViewProps) {
  const { state } = usePage();
  const { answered } = state;
  const { options } = answered.value;
  const all = answered.value.workloads;
  // The files are those of the first plan.
  const trains = place === "/plans/0" && Array.isArray(all) && all.some((one) => textAt(one, "/type") === "training");
  const request = {
    ...answered.value,
    options: { ...(isObject(options) ? options : {}), draws: 0, launch: true },
    ...(trains ? { exports: ["all"] } : {}),
  };
  const workloads = useWorkloads();
  return (
    <Asked request={request}>
      {() => (
        <>
          {workloads.map(({ index, name }) => (
            <Launch key={index} place={`${place}/layouts/${index}`} of={name} />
          ))}
          <JobFiles />
        </>
      )}
    </Asked>
  );
}

/** Files of a scheduler and the proof of memory; the scripts of torchrun stand above. */
function JobFiles() {
  const list = valueAt(usePage().state.answer.value, "/exports");
  const files = Array.isArray(list) ? list.filter(isObject) : [];
  const others = files.filter(({ name }) => !String(name).startsWith("torchrun/"));
  return others.length === 0 ? null : (
    <Card title={texts.jobFilesTitle}>
      {others.map(({ name, text }) => (
        <CopyableText key={String(name)} title={String(name)} text={String(text)} />
      ))}
    </Card>
  );
}

function Launch({ place, of }: ViewProps & { of: string | undefined }) {
  const { state } = usePage();
  const yaml = textAt(state.answer.value, `${place}/kubernetes/yaml`);
  return (
    <Card title={texts.launchTitle} of={of}>
      <LaunchCommands place={`${place}/launch`} />
      {yaml === undefined ? null : <CopyableText title="kubernetes.yaml" text={yaml} />}
      <Part place={`${place}/kubernetes/cannot`} level={3} />
    </Card>
  );
}

function RiskView({ place }: ViewProps) {
  const { state } = usePage();
  const shown = shownPlan(state);
  const { assumptions = [], not_modelled: missing = [] } = state.answer.value;
  return (
    <>
      <div class="columns">
        <TextBlock title={messages.risksTitle} items={shown?.plan.risks} />
      </div>
      {mayHaveDraws(state, `${place}/cost`) ? (
        <Card title={messages.riskTitle}>
          <PlanRisk place={place} />
        </Card>
      ) : null}
      <Part place={`${place}/reliability`} />
      <Part place={`${place}/carbon`} />
      <Assumptions items={assumptions} />
      {missing.length === 0 ? null : (
        <Fold title={fill(messages.notModelledTitle, { count: missing.length })}>
          <p class="note">{messages.notModelledNote}</p>
          <Texts items={missing} />
        </Fold>
      )}
    </>
  );
}

/** What the engine answers to one more question, shown when it has. */
function Asked({ request, children }: { request: JsonObject | undefined; children: () => preact.ComponentChildren }) {
  const { state } = usePage();
  const question = request === undefined ? undefined : JSON.stringify(request);
  const [answered, setAnswered] = useState<Page>();
  useEffect(() => {
    if (question === undefined || state.engine.value !== "ready") return;
    let isCurrent = true;
    const asked = JSON.parse(question) as JsonObject;
    const explain = asked.kind === "plan" ? "in options" : "at the top";
    void openBeside(state.initial, asked, { screen: "plan", explain }).then((page) => isCurrent && setAnswered(page));
    return () => {
      isCurrent = false;
    };
  }, [question, state.engine.value]);
  if (question === undefined) return null;
  if (answered === undefined) return <p class="note opening">{messages.updating}</p>;
  return <Beside page={answered}>{children()}</Beside>;
}

/** Takes the plan on show to the screens where one part of it is tried by hand. */
function ByHand({ screens }: { screens: readonly PageName[] }) {
  const plan = usePage();
  const chosen = chosenOf(plan.state);
  if (chosen === undefined) return null;
  const offered = screens.flatMap((screen) => {
    const request = requestByHand(screen, chosen);
    return request === undefined ? [] : [{ screen, request }];
  });
  if (offered.length === 0) return null;
  const open = async (screen: PageName, request: JsonObject) => {
    const page = await pageFor(screen, plan);
    if (page === undefined) return;
    await editPage(page, request);
    location.hash = addressOf(screen);
  };
  return (
    <section class="card">
      <h2>{texts.byHandTitle}</h2>
      <p class="note">{texts.byHandNote}</p>
      <p class="row">
        {offered.map(({ screen, request }) => (
          <button key={screen} type="button" onClick={() => void open(screen, request)}>
            {messages.screens[screen]}
          </button>
        ))}
      </p>
    </section>
  );
}
