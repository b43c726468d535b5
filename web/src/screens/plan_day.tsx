/** The day of a plan's workload: its requests one by one through its deployment, in an engine of their own, so that the page's goes on answering. */
import { extent } from "d3-array";
import { useEffect, useState } from "preact/hooks";
import { EngineFailed } from "../engine/client.ts";
import { startEngineProcess } from "../engine/process.ts";
import { isObject, type JsonObject, numberAt, valueAt } from "../json.ts";
import { fill } from "../messages.ts";
import { type Page, usePage } from "../page.ts";
import { shownPlan } from "../state.ts";
import { Faults } from "../views/field.tsx";
import { Fold, Texts } from "../views/fold.tsx";
import { ObjectView } from "./answer_part.tsx";
import { dayRequest } from "./by_hand.ts";
import { DayChart, valueText } from "./charts/day.tsx";
import { Beside, openBeside } from "./page_beside.tsx";
import { trafficTexts } from "./traffic_texts.ts";
import "./screens.css";

/** Answers to sliders that move come faster than a day is replayed. */
const kWaitMs = 400;

/** The answered page of the newest question; a question that is no longer the newest ends together with its engine. */
function useDay(question: string | undefined) {
  const { state } = usePage();
  const [day, setDay] = useState<{ page?: Page; question?: string; failed?: string }>({});
  const [stopped, setStopped] = useState<string>();
  /** Another one for each time that the button is pressed. */
  const [attempt, setAttempt] = useState({});
  const isAsked = question !== undefined && stopped !== question;
  useEffect(() => {
    if (!isAsked || day.question === question) return;
    let isCurrent = true;
    let end = () => {};
    const ask = async () => {
      const process = startEngineProcess();
      end = () => process.stop();
      const fails = process.died.then((error) => Promise.reject(new EngineFailed(error.message)));
      const page = await openBeside(
        state.initial,
        JSON.parse(question) as JsonObject,
        { screen: "plan", explain: "at the top" },
        (text) => Promise.race([process.answer(text), fails]),
      );
      if (isCurrent) setDay({ page, question, failed: page.state.engine.value === "failed" ? question : undefined });
    };
    const timer = setTimeout(() => void ask().catch(() => isCurrent && setDay({ failed: question })), kWaitMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      end();
    };
  }, [question, isAsked, attempt]);
  return {
    page: day.page,
    isBusy: isAsked && day.question !== question && day.failed !== question,
    isFailed: question !== undefined && day.failed === question,
    stop: () => setStopped(question),
    start: () => {
      setDay({ page: day.page });
      setStopped(undefined);
      setAttempt({});
    },
  };
}

export function PlanDay({ place, index }: { place: string; index: number }) {
  const { state } = usePage();
  const request = dayRequest({ request: state.answered.value, answer: state.answer.value, place, index });
  const day = useDay(request === undefined ? undefined : JSON.stringify(request));
  if (request === undefined) return <p class="note">{trafficTexts.notReplayed}</p>;
  return (
    <div class="day" aria-busy={day.isBusy}>
      <Reuse />
      <p class="row">
        <output aria-live="polite">
          {day.isBusy ? trafficTexts.replaying : day.isFailed ? trafficTexts.replayFailed : ""}
        </output>
        {day.isBusy ? (
          <button type="button" class="small" onClick={day.stop}>
            {trafficTexts.stop}
          </button>
        ) : null}
        {!day.isBusy && (day.isFailed || day.page === undefined) ? (
          <button type="button" class="small" onClick={day.start}>
            {trafficTexts.replay}
          </button>
        ) : null}
      </p>
      {day.page === undefined ? null : (
        <Beside page={day.page}>
          <DayPicture />
        </Beside>
      )}
    </div>
  );
}

const kOfReuse = ["prefix-reuse", "without-prefix-reuse"];

/** What the plan says of reuse: the share that is found, and what would be needed without. */
function Reuse() {
  const reasons = shownPlan(usePage().state)?.plan.reasons ?? [];
  const said = reasons.filter(({ code }) => kOfReuse.includes(code ?? ""));
  if (said.length === 0) return null;
  return (
    <div>
      <h3>{trafficTexts.reuse}</h3>
      <Texts items={said} />
    </div>
  );
}

const kHours = "/hours_of_day";
const kPercentiles = ["p50", "p95", "p99"];
const kLatencies = [
  ["ttft_s", "ttftTitle"],
  ["tpot_s", "tpotTitle"],
] as const;

/** Of the answer of the page around it. */
export function DayPicture() {
  const { state } = usePage();
  const answer = state.answer.value;
  const list = valueAt(answer, kHours);
  const hours = Array.isArray(list) ? list.filter(isObject) : [];
  if (state.errors.value.length > 0) return <Faults id="day-fault" errors={state.errors.value} />;
  if (hours.length === 0) return <Texts items={answer.reasons ?? []} />;
  const ends = (key: string) => extent(hours, (hour) => numberAt(hour, `/${key}`) ?? 0) as [number, number];
  const least = (key: string) => valueText(key, ends(key)[0]);
  const most = (key: string) => valueText(key, ends(key)[1]);
  const drawn = { place: kHours, hours };
  const gpus = numberAt(answer, "/gpu_count") ?? 0;
  const whole = valueAt(answer, "/replay");
  return (
    <>
      <p class="note">{fill(trafficTexts.dayNote, { hour: valueText("hour_s", numberAt(answer, "/hour_s") ?? 0) })}</p>
      <DayChart
        {...drawn}
        title={fill(trafficTexts.requestsTitle, { most: most("arrived_requests_per_s") })}
        keys={["arrived_requests_per_s"]}
      />
      <DayChart
        {...drawn}
        title={fill(trafficTexts.gpusTitle, {
          least: least("gpus_at_work"),
          most: most("gpus_at_work"),
          all: valueText("gpu_count", gpus),
        })}
        note={trafficTexts.gpusNote}
        keys={["gpus_at_work"]}
        limit={gpus}
      />
      <DayChart
        {...drawn}
        title={fill(trafficTexts.inFlightTitle, { most: most("mean_in_flight") })}
        keys={["mean_in_flight"]}
      />
      {ends("prefix_hit_ratio")[1] > 0 ? (
        <DayChart
          {...drawn}
          title={fill(trafficTexts.foundTitle, { least: least("prefix_hit_ratio"), most: most("prefix_hit_ratio") })}
          keys={["prefix_hit_ratio"]}
        />
      ) : null}
      {kLatencies.map(([key, title]) => (
        <DayChart
          key={key}
          {...drawn}
          title={fill(trafficTexts[title], { value: most(`${key}_p95`) })}
          keys={kPercentiles.map((name) => `${key}_${name}`)}
        />
      ))}
      {isObject(whole) ? (
        <Fold title={trafficTexts.allNumbers}>
          <ObjectView place="/replay" object={whole} />
        </Fold>
      ) : null}
    </>
  );
}
