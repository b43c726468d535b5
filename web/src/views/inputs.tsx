/** The form. It writes into the request and shows the engine's complaints at the field that they name. */
import { scaleLog } from "d3-scale";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CatalogItem, RequestError } from "../contract.ts";
import { fieldText } from "../format.ts";
import { canonical, numberAt, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { byGroup, Faults, ItemBox, isWithin, NumberInput, Options, OtherFaults } from "./field.tsx";
import { Disclosure } from "./fold.tsx";
import { Failed, lazy } from "./lazy.tsx";

const kModel = "/workloads/0/model";
const kGpus = "/constraints/gpus";
const kRate = "/workloads/0/peak_requests_per_s";
const kQuotes = "/quotes";
const kTraffic = "/workloads/0/traffic";
const kMeanRate = "/workloads/0/mean_requests_per_s";

interface NumberProps {
  id: string;
  pointer: string;
  label: string;
  unit?: string;
  /** How many of the field's units one of the request's units holds. */
  factor?: number;
  /** Takes a whole row. */
  alone?: boolean;
}

const numberFields = (): readonly NumberProps[] => [
  { id: "input-tokens", pointer: "/workloads/0/input_tokens", label: messages.inputTokens, unit: messages.perRequest },
  {
    id: "output-tokens",
    pointer: "/workloads/0/output_tokens",
    label: messages.outputTokens,
    unit: messages.perRequest,
  },
  { id: "ttft", pointer: "/workloads/0/ttft_s_p95_max", label: messages.ttftTarget, unit: messages.secondsP95 },
  {
    id: "tpot",
    pointer: "/workloads/0/tpot_s_p95_max",
    label: messages.tpotTarget,
    unit: messages.millisecondsP95,
    factor: 1000,
  },
];

const fieldPointers = () => [kModel, kGpus, kRate, kMeanRate, ...numberFields().map(({ pointer }) => pointer)];

export function Inputs() {
  const { state, controller } = usePage();
  const changed = canonical(state.request.value) !== canonical(state.initial.preset);
  const given = valueAt(state.request.value, kQuotes);
  const quotes = Array.isArray(given) ? given : [];
  const hasMean = valueAt(state.request.value, kMeanRate) !== undefined;
  // On a phone it would stand between the answer and its numbers.
  const [wanted, setWanted] = useState(false);
  const errors = state.errors.value;
  const isOpen = wanted || errors.length > 0;
  // An open part tells its own.
  const [open, setOpen] = useState({ quotes: false, traffic: false, all: false });
  const isTold = (error: RequestError) =>
    fieldPointers().some((pointer) => isWithin(error, pointer)) ||
    (isWithin(error, kQuotes) ? open.quotes : open.all || (open.traffic && isWithin(error, kTraffic)));
  return (
    <form class="inputs" aria-labelledby="inputs" onSubmit={(event) => event.preventDefault()}>
      <h2 id="inputs" tabIndex={-1}>
        {messages.inputsTitle}
      </h2>
      <OtherFaults errors={errors.filter((error) => !isTold(error))} />
      <button type="button" class="phone-door" aria-expanded={isOpen} onClick={() => setWanted(!isOpen)}>
        {messages.changeInputs}
      </button>
      <div class={isOpen ? "inputs-body" : "inputs-body folded"}>
        <ModelField />
        <div class="fields">
          <NumberField id="rate" pointer={kRate} label={messages.rate} alone={!hasMean} />
          {hasMean ? <NumberField id="mean-rate" pointer={kMeanRate} label={messages.meanRate} /> : null}
          <RateSlider />
          {numberFields().map((field) => (
            <NumberField key={field.id} {...field} />
          ))}
        </div>
        <GpuField />
        <LatePart
          title={quotes.length === 0 ? messages.quotes : fill(messages.quotesGiven, { count: quotes.length })}
          part={planQuotes}
          onToggle={(quotes) => setOpen({ ...open, quotes })}
        />
        <LatePart title={messages.traffic} part={planTraffic} onToggle={(traffic) => setOpen({ ...open, traffic })} />
        <LatePart title={messages.allInputs} part={planInputs} onToggle={(all) => setOpen({ ...open, all })} />
        <p class="note">{messages.inputsNote}</p>
        <button type="button" disabled={!changed} onClick={() => controller.reset()}>
          {messages.reset}
        </button>
      </div>
    </form>
  );
}

const planQuotes = lazy(async () => (await import("../screens/plan_quotes.tsx")).PlanQuotes);
const planTraffic = lazy(async () => (await import("../screens/plan_traffic.tsx")).PlanTraffic);
const planInputs = lazy(async () => (await import("../screens/plan_inputs.tsx")).PlanInputs);

interface LatePartProps {
  title: string;
  part: ReturnType<typeof lazy<ComponentType>>;
  onToggle: (open: boolean) => void;
}

/** A part of the form that is loaded when it is opened. */
function LatePart({ title, part, onToggle }: LatePartProps) {
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  if (!scripted) return null;
  const Loaded = part.view.value;
  return (
    <details
      class="all-inputs"
      onToggle={({ currentTarget }) => {
        part.load();
        onToggle(currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {part.failed.value ? <Failed again={part.load} /> : null}
      {Loaded === undefined ? null : <Loaded />}
    </details>
  );
}

function FaultsAt({ id, pointer }: { id: string; pointer: string }) {
  const { state } = usePage();
  return <Faults id={id} errors={state.errors.value.filter((error) => isWithin(error, pointer))} />;
}

function useFault(pointer: string): boolean {
  return usePage().state.errors.value.some((error) => isWithin(error, pointer));
}

function ModelField() {
  const { state, controller } = usePage();
  const value = valueAt(state.request.value, kModel);
  const id = typeof value === "string" ? value : "";
  // The page's text holds the chosen model only; the list follows once a script could use it.
  const [listed, setListed] = useState(false);
  useEffect(() => setListed(true), []);
  const models = state.initial.models.filter((item) => listed || item.id === id);
  const isListed = models.some((item) => item.id === id);
  return (
    <div class="field wide">
      <label for="model">{messages.model}</label>
      <select
        id="model"
        value={id}
        aria-invalid={useFault(kModel)}
        aria-describedby="model-fault"
        onChange={(event) => controller.edit(kModel, event.currentTarget.value)}
      >
        {isListed ? null : <option value={id}>{id}</option>}
        <Options items={models} chosen={id} />
      </select>
      <FaultsAt id="model-fault" pointer={kModel} />
    </div>
  );
}

function NumberField({ id, pointer, label, unit, factor = 1, alone = false }: NumberProps) {
  return (
    <div class={alone ? "field alone" : "field"}>
      <label for={id}>{label}</label>
      <div class="box">
        <NumberInput
          id={id}
          pointer={pointer}
          factor={factor}
          aria-invalid={useFault(pointer)}
          aria-describedby={unit === undefined ? `${id}-fault` : `${id}-unit ${id}-fault`}
        />
        {unit === undefined ? null : (
          <span id={`${id}-unit`} class="unit">
            {unit}
          </span>
        )}
      </div>
      <FaultsAt id={`${id}-fault`} pointer={pointer} />
    </div>
  );
}

const kSliderSteps = 200;
const rateScale = scaleLog([0.1, 10_000], [0, kSliderSteps]).clamp(true);

/** A slider for the same number, in equal steps of its logarithm, rounded to two digits. */
function RateSlider() {
  const { state, controller } = usePage();
  const rate = numberAt(state.request.value, kRate) ?? 0;
  return (
    <div class="field wide slider">
      <input
        type="range"
        min="0"
        max={kSliderSteps}
        step="1"
        aria-label={messages.rateSlider}
        aria-valuetext={fieldText(rate)}
        value={rate > 0 ? Math.round(rateScale(rate)) : 0}
        onInput={(event) => {
          const chosen = rateScale.invert(Number(event.currentTarget.value));
          controller.edit(kRate, Number(chosen.toPrecision(2)));
        }}
      />
    </div>
  );
}

function GpuField() {
  const { state, controller } = usePage();
  const value = valueAt(state.request.value, kGpus);
  const chosen: string[] = Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
  const preset = valueAt(state.initial.preset, kGpus);
  const first = state.initial.gpus.filter((item) => Array.isArray(preset) && preset.includes(item.id));
  const others = state.initial.gpus.filter((item) => !first.includes(item));
  const otherCount = others.filter((item) => chosen.includes(item.id)).length;
  const box = (item: CatalogItem) => (
    <ItemBox key={item.id} item={item} chosen={chosen} choose={(ids) => controller.edit(kGpus, ids)} />
  );
  return (
    <fieldset class="gpus" aria-describedby="gpus-fault">
      <legend>{messages.gpus}</legend>
      {first.map(box)}
      <Disclosure
        summary={otherCount === 0 ? messages.otherGpus : fill(messages.otherGpusChosen, { count: otherCount })}
      >
        {() => (
          <div class="more">
            {byGroup(others).map(([group, items]) => (
              <fieldset key={group} class="group">
                <legend>{group}</legend>
                {items.map(box)}
              </fieldset>
            ))}
          </div>
        )}
      </Disclosure>
      {chosen.length === 0 ? <p class="note">{messages.anyGpu}</p> : null}
      <FaultsAt id="gpus-fault" pointer={kGpus} />
    </fieldset>
  );
}
