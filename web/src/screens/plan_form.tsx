/**
 * The question of a plan, in the order in which people ask it: what the GPUs are for, the model, the load, how fast, where, for what
 * money, on which GPUs. Everything else is among all inputs. It writes into the request and shows the engine's complaints at the
 * field that they name.
 */
import { type ComponentType, createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { CatalogItem, RequestError } from "../contract.ts";
import { currency } from "../currency.ts";
import { fieldText } from "../format.ts";
import { canonical, isObject, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { chooseCurrency } from "../settings.ts";
import {
  byGroup,
  FaultsAt,
  faultView,
  ItemBox,
  isWithin,
  NumberInput,
  Options,
  OtherFaults,
  useFault,
} from "../views/field.tsx";
import { Figure } from "../views/figure.tsx";
import { Disclosure } from "../views/fold.tsx";
import { Failed, lazy } from "../views/lazy.tsx";
import { formTexts } from "./form_texts.ts";
import {
  kLoadUnits,
  kMean,
  kOwnership,
  kPeak,
  kQualities,
  kStartOf,
  kTasks,
  kWorkload,
  type LoadUnit,
  loadUnitOf,
  type Quality,
  qualityOf,
  type Task,
  taskOf,
  type Way,
  wayOf,
  withLoadIn,
  withQuality,
  withTask,
  withWay,
} from "./plan_question.ts";
import { RateSlider } from "./rate_slider.tsx";
import { loadRequests } from "./requests.ts";
import { wantedInput } from "./wanted_input.ts";
import { WhereField } from "./where_field.tsx";

const kModel = `${kWorkload}/model`;
const kGpus = "/constraints/gpus";
const kQuotes = "/quotes";
const kTraffic = `${kWorkload}/traffic`;

type Key = keyof typeof formTexts.fields;
const at = (key: Key) => `${kWorkload}/${key}`;

/** True once scripts run: what only they can use is not in the page's text. */
const Scripted = createContext(false);

/** Places whose complaints stand at a field of the form, by task. */
function placesOf(task: Task): string[] {
  const own: Record<Task, Key[]> = {
    serve: [
      "users",
      "think_time_s",
      "tokens_per_day",
      "peak_over_mean",
      "input_tokens",
      "output_tokens",
      "ttft_s_p95_max",
      "tpot_s_p95_max",
    ],
    train: ["tokens", "deadline_days", "sequence_length", "global_batch_size"],
    tune: ["tokens", "deadline_days", "sequence_length", "global_batch_size"],
  };
  const common = [kModel, kGpus, kOwnership, "/economics/region", "/constraints/sovereignty"];
  const rates = task === "serve" ? [kPeak, kMean] : [];
  const money = ["/constraints/budget_usd", "/constraints/budget_usd_per_year"];
  return [...common, ...rates, ...money, ...own[task].map(at)];
}

/** What was typed or chosen before this code came; taking over the form sets it back. */
const givenEarly = () =>
  [...document.querySelectorAll<HTMLInputElement>(".inputs input")]
    .filter((input) => input.value !== input.defaultValue || input.checked !== input.defaultChecked)
    .map((input) => [input, input.value] as const);

export function PlanForm() {
  const { state, isDrawn } = usePage();
  const request = state.request.value;
  const changed = canonical(request) !== canonical(state.initial.preset);
  const task = taskOf(request);
  const [scripted, setScripted] = useState(false);
  const [early] = useState(isDrawn ? givenEarly : []);
  useEffect(() => {
    for (const [input, value] of early) {
      // It chooses a word, and is nothing to one that is chosen, to what is typed or moved.
      input.click();
      input.value = value;
      input.dispatchEvent(new Event("input"));
    }
    setScripted(true);
    answerBar.load();
  }, []);
  const Bar = answerBar.view.value;
  // On a phone it would stand between the answer and its numbers.
  const [wanted, setWanted] = useState(false);
  const errors = state.errors.value;
  const isOpen = wanted || errors.length > 0 || wantedInput.value !== undefined;
  // An open part tells its own.
  const [open, setOpen] = useState({ quotes: false, traffic: false, all: false });
  const isTold = (error: RequestError) =>
    placesOf(task).some((pointer) => isWithin(error, pointer)) ||
    (isWithin(error, kQuotes) ? open.quotes : open.all || (open.traffic && isWithin(error, kTraffic)));
  return (
    <Scripted.Provider value={scripted}>
      <form
        class="inputs"
        aria-labelledby="inputs"
        onSubmit={(event) => event.preventDefault()}
        onFocusCapture={faultView.load}
      >
        {scripted && Bar !== undefined ? <Bar /> : null}
        <h2 id="inputs" tabIndex={-1}>
          {messages.inputsTitle}
        </h2>
        <OtherFaults errors={errors.filter((error) => !isTold(error))} />
        <button type="button" class="phone-door" aria-expanded={isOpen} onClick={() => setWanted(!isOpen)}>
          {messages.changeInputs}
        </button>
        <div class={isOpen ? "inputs-body" : "inputs-body folded"}>
          <TaskChoice task={task} />
          <ModelField />
          <LatePart title={formTexts.pasteModel} part={pasteModel} />
          {task === "serve" ? <Load /> : <Run tunes={task === "tune"} />}
          {scripted ? <Below task={task} changed={changed} onOpen={(part) => setOpen({ ...open, ...part })} /> : null}
        </div>
      </form>
    </Scripted.Provider>
  );
}

type Part = "quotes" | "traffic" | "all";

interface BelowProps {
  task: Task;
  changed: boolean;
  onOpen: (part: Partial<Record<Part, boolean>>) => void;
}

/** What is not drawn by the build: it is below what a first look sees. */
function Below({ task, changed, onOpen }: BelowProps) {
  const { state, controller } = usePage();
  const given = valueAt(state.request.value, kQuotes);
  const quotes = Array.isArray(given) ? given : [];
  return (
    <>
      {task === "serve" ? <QualityChoice /> : null}
      <WhereField />
      <Money />
      <GpuField />
      <LatePart
        title={quotes.length === 0 ? messages.quotes : fill(messages.quotesGiven, { count: quotes.length })}
        part={planQuotes}
        onToggle={(quotes) => onOpen({ quotes })}
      />
      {task === "serve" ? (
        <LatePart title={messages.traffic} part={planTraffic} onToggle={(traffic) => onOpen({ traffic })} />
      ) : null}
      <LatePart
        title={messages.allInputs}
        part={planInputs}
        onToggle={(all) => onOpen({ all })}
        open={wantedInput.value === undefined ? undefined : true}
      />
      <p class="note">{messages.inputsNote}</p>
      <button type="button" disabled={!changed} onClick={() => controller.reset()}>
        {messages.reset}
      </button>
    </>
  );
}

const answerBar = lazy(async () => (await import("./answer_bar.tsx")).AnswerBar);
const pasteModel = lazy(async () => (await import("./json_box.tsx")).PastePlanModel);
const planQuotes = lazy(async () => (await import("./plan_quotes.tsx")).PlanQuotes);
const planTraffic = lazy(async () => (await import("./plan_traffic.tsx")).PlanTraffic);
const planInputs = lazy(async () => (await import("./plan_inputs.tsx")).PlanInputs);

interface LatePartProps {
  title: string;
  part: ReturnType<typeof lazy<ComponentType>>;
  onToggle?: (open: boolean) => void;
  /** True opens it. */
  open?: boolean | undefined;
}

/** A part of the form that is loaded when it is opened. */
function LatePart({ title, part, onToggle, open }: LatePartProps) {
  const Loaded = part.view.value;
  return (
    <details
      class="all-inputs"
      open={open}
      onToggle={({ currentTarget }) => {
        part.load();
        onToggle?.(currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {part.failed.value ? <Failed again={part.load} /> : null}
      {Loaded === undefined ? null : <Loaded />}
    </details>
  );
}

interface ChoiceProps<Id extends string> {
  name: string;
  title: string;
  options: readonly Id[];
  names: Record<Id, string>;
  chosen: Id | undefined;
  able?: (id: Id) => boolean;
  choose: (id: Id) => void;
}

/** One of a few words, side by side. */
function Choice<Id extends string>({ name, title, options, names, chosen, able, choose }: ChoiceProps<Id>) {
  return (
    <fieldset class="choice">
      <legend>{title}</legend>
      <div class="switch">
        {options.map((id) => (
          <label key={id}>
            <input
              type="radio"
              name={name}
              value={id}
              checked={id === chosen}
              disabled={able?.(id) === false}
              onChange={() => choose(id)}
            />
            <span>{names[id]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Another task begins with a workload of its own; the engine's examples have it. */
function TaskChoice({ task }: { task: Task }) {
  const { state, controller } = usePage();
  const [failed, setFailed] = useState(false);
  const request = state.request.value;
  const count = Array.isArray(request.workloads) ? request.workloads.length : 0;
  const choose = (next: Task) => {
    setFailed(false);
    loadRequests("plan").then(
      ({ examples }) => {
        const startOf = (one: Task) => examples.find(({ name }) => name === kStartOf[one])?.request;
        const start = startOf(next);
        if (start === undefined) return setFailed(true);
        const now = state.request.value;
        controller.edit("", withTask(now, startOf(taskOf(now)), start));
      },
      () => setFailed(true),
    );
  };
  return (
    <div>
      <Choice
        name="task"
        title={formTexts.task}
        options={kTasks}
        names={formTexts.tasks}
        chosen={task}
        choose={choose}
      />
      {failed ? (
        <p class="fault" role="alert">
          {formTexts.taskFailed}
        </p>
      ) : null}
      {count < 2 ? null : <p class="note">{fill(formTexts.firstOfSeveral, { count })}</p>}
    </div>
  );
}

function ModelField() {
  const { state, controller } = usePage();
  const value = valueAt(state.request.value, kModel);
  const id = typeof value === "string" ? value : "";
  // The page's text holds the chosen model only; the list follows once a script could use it.
  const listed = useContext(Scripted);
  const models = state.initial.models.filter((item) => listed || item.id === id);
  const isListed = models.some((item) => item.id === id);
  return (
    <div class="field wide">
      <label for="model">{messages.model}</label>
      <select
        id="model"
        value={id}
        aria-invalid={useFault(kModel) || undefined}
        aria-describedby="model-fault"
        onChange={(event) => controller.edit(kModel, event.currentTarget.value)}
      >
        {isListed ? null : <option value={id}>{isObject(value) ? formTexts.ownModel : id}</option>}
        <Options items={models} chosen={id} />
      </select>
      <FaultsAt id="model-fault" pointer={kModel} />
    </div>
  );
}

interface NumberProps {
  id: string;
  name: Key;
  pointer?: string;
  unit?: string;
  placeholder?: string;
  /** Takes a whole row. */
  alone?: boolean;
}

function NumberField({ id, name, pointer = at(name), unit, placeholder, alone = false }: NumberProps) {
  return (
    <div class={alone ? "field alone" : "field"}>
      <label for={id}>{formTexts.fields[name]}</label>
      <div class="box">
        <NumberInput
          id={id}
          pointer={pointer}
          placeholder={placeholder}
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

/** The load as people know it; what it comes to otherwise stands below. */
function Load() {
  const { state, controller } = usePage();
  const request = state.request.value;
  const unit = loadUnitOf(request);
  const load = state.answer.value.loads?.[0];
  const others = kLoadUnits.filter((one) => one !== unit && load?.[kSaid[one]] !== undefined);
  const say = (one: LoadUnit) => {
    const next = load && withLoadIn(state.request.peek(), one, load);
    if (isObject(next)) controller.edit("", next);
  };
  return (
    <>
      <Choice
        name="load"
        title={formTexts.load}
        options={kLoadUnits}
        names={formTexts.loads}
        chosen={unit}
        able={(one) => one === unit || others.includes(one)}
        choose={say}
      />
      <div class="fields">
        <LoadFields unit={unit} />
        <p class="note wide">
          {others.map((one) => (
            <span key={one}>
              {" = "}
              <Figure place={`/loads/0/${kSaid[one]}`} bare /> {formTexts.loadsSaid[one]}
            </span>
          ))}
        </p>
      </div>
    </>
  );
}

const kSaid = { requests: "peak_requests_per_s", users: "users", tokens: "tokens_per_day" } as const;

function LoadFields({ unit }: { unit: LoadUnit }) {
  const { state } = usePage();
  const hasMean = valueAt(state.request.value, kMean) !== undefined;
  const hasRatio = valueAt(state.request.value, at("peak_over_mean")) !== undefined;
  const ratio = state.answer.value.loads?.[0]?.peak_over_mean;
  const ratioField = (
    <NumberField
      id="peak-over-mean"
      name="peak_over_mean"
      placeholder={typeof ratio === "number" ? fieldText(ratio) : ""}
    />
  );
  if (unit === "users")
    return (
      <>
        <NumberField id="users" name="users" />
        <NumberField id="think-time" name="think_time_s" unit="s" placeholder="0" />
        <p class="note wide">{formTexts.thinkTime}</p>
        {hasRatio ? ratioField : null}
        <Lengths />
      </>
    );
  if (unit === "tokens")
    return (
      <>
        <NumberField id="tokens-per-day" name="tokens_per_day" />
        {ratioField}
        <Lengths />
      </>
    );
  return (
    <>
      <NumberField id="rate" name="peak_requests_per_s" alone={!hasMean} />
      {hasMean ? <NumberField id="mean-rate" name="mean_requests_per_s" /> : null}
      <RateSlider />
      <Lengths />
    </>
  );
}

function Lengths() {
  return (
    <>
      <NumberField id="input-tokens" name="input_tokens" unit={messages.perRequest} />
      <NumberField id="output-tokens" name="output_tokens" unit={messages.perRequest} />
    </>
  );
}

function Run({ tunes }: { tunes: boolean }) {
  return (
    <>
      {tunes ? <MethodChoice /> : null}
      <div class="fields">
        <NumberField id="tokens" name="tokens" />
        <NumberField id="deadline" name="deadline_days" unit={formTexts.daysUnit} />
        <NumberField id="sequence" name="sequence_length" unit={formTexts.tokensUnit} />
        <NumberField id="batch" name="global_batch_size" unit={formTexts.sequencesUnit} />
      </div>
    </>
  );
}

type Method = keyof typeof formTexts.methods;
const kMethods: readonly Method[] = ["lora", "qlora"];

function MethodChoice() {
  const { state, controller } = usePage();
  const method = valueAt(state.request.value, `${kWorkload}/method`);
  return (
    <Choice
      name="method"
      title={formTexts.method}
      options={kMethods}
      names={formTexts.methods}
      chosen={kMethods.find((one) => one === method)}
      choose={(id) => controller.edit(`${kWorkload}/method`, id)}
    />
  );
}

const kQualityIds = Object.keys(kQualities) as Quality[];

/** A word sets both limits; each may then be another. */
function QualityChoice() {
  const { state, controller } = usePage();
  const request = state.request.value;
  const chosen = qualityOf(request);
  return (
    <div class="stacked">
      <Choice
        name="quality"
        title={formTexts.quality}
        options={kQualityIds}
        names={formTexts.qualities}
        chosen={chosen}
        choose={(id) => controller.edit("", withQuality(request, id))}
      />
      <div class="fields">
        <NumberField id="ttft" name="ttft_s_p95_max" unit={messages.millisecondsP95} placeholder={formTexts.noLimit} />
        <NumberField id="tpot" name="tpot_s_p95_max" unit={messages.millisecondsP95} placeholder={formTexts.noLimit} />
      </div>
    </div>
  );
}

const kCurrencies = Object.keys(formTexts.currencies) as (keyof typeof formTexts.currencies)[];
const kWays: readonly Way[] = ["rent", "buy", "either"];

function Money() {
  const { state, controller } = usePage();
  const request = state.request.value;
  return (
    <div class="stacked">
      <Choice
        name="way"
        title={formTexts.way}
        options={kWays}
        names={formTexts.ways}
        chosen={wayOf(request)}
        choose={(way) => controller.edit("", withWay(request, way))}
      />
      <FaultsAt id="way-fault" pointer={kOwnership} />
      <div class="fields">
        <CurrencyField />
        <NumberField
          id="budget"
          name="budget_usd"
          pointer="/constraints/budget_usd"
          unit={currency.value.id}
          placeholder={formTexts.noBudget}
        />
        <NumberField
          id="budget-year"
          name="budget_usd_per_year"
          pointer="/constraints/budget_usd_per_year"
          unit={fill(formTexts.perYear, { currency: currency.value.id })}
          placeholder={formTexts.noBudget}
        />
      </div>
    </div>
  );
}

/** What money is shown and typed in; the request has US dollars. */
function CurrencyField() {
  const { id, as_of, per_usd } = currency.value;
  return (
    <div class="field alone">
      <label for="currency">{formTexts.currency}</label>
      <select
        id="currency"
        aria-describedby="currency-rate"
        value={id}
        onChange={({ currentTarget }) => void chooseCurrency(currentTarget.value)}
      >
        {kCurrencies.map((one) => (
          <option key={one} value={one} selected={one === id}>
            {formTexts.currencies[one]}
          </option>
        ))}
      </select>
      <span id="currency-rate" class="in-words">
        {as_of === "" ? null : fill(formTexts.currencyRate, { rate: fieldText(per_usd), currency: id, date: as_of })}
      </span>
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
