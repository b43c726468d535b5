/** One lab: its setting and question, the prediction, and after that what the engine says. */
import { useState } from "preact/hooks";
import type { RequestError } from "../../../contract.ts";
import { numberAt } from "../../../json.ts";
import { fill } from "../../../messages.ts";
import { Disclosure } from "../../../views/fold.tsx";
import { Failed } from "../../../views/lazy.tsx";
import { kRightWithin, type Lab, type LabPack, labReview, predictionsOf, secondsBetween } from "../../labs.ts";
import type { Review } from "../../log.ts";
import { studyAddress } from "../addresses.ts";
import { Complaints, sliderOf } from "../calculator.tsx";
import { calculatorTexts } from "../calculator_texts.ts";
import { shareText } from "../exam/percent.ts";
import { KeepingNotice } from "../keeping_notice.tsx";
import { numberShown } from "../shown_value.ts";
import { dateText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { replyTo } from "../use_engine.ts";
import { ValueSlider } from "../value_slider.tsx";
import { Revealed } from "./revealed.tsx";
import { labTexts } from "./texts.ts";

interface LabPageProps {
  lab: Lab;
  pack: LabPack;
  study: StudyTools;
}

type Asking = { state: "ready" | "asking" | "failed" } | { state: "refused"; errors: readonly RequestError[] };

export function LabPage({ lab, pack, study: { store, pack: questions } }: LabPageProps) {
  const [predicted, setPredicted] = useState(lab.slider.start);
  const [isFaulty, setFaulty] = useState(false);
  const [actual, setActual] = useState<number>();
  const [asking, setAsking] = useState<Asking>({ state: "ready" });
  const [begun] = useState(() => Date.now());
  const [earlier] = useState(() => predictionsOf(store.data().reviews, lab.id));
  const slider = sliderOf(lab.slider, lab.slider.start);
  const objective = questions.blueprint.objectives.find(({ id }) => id === lab.objective)?.text ?? "";

  const reveal = async () => {
    setAsking({ state: "asking" });
    const { answer, errors, failed } = await replyTo(JSON.stringify(lab.request));
    const value = numberAt(answer, lab.answer_pointer);
    if (failed || errors.length > 0 || value === undefined) {
      setAsking(errors.length > 0 ? { state: "refused", errors } : { state: "failed" });
      return;
    }
    const now = Date.now();
    setActual(value);
    setAsking({ state: "ready" });
    await store.addReview(labReview(lab, predicted, value, secondsBetween(begun, now), now));
  };

  return (
    <section class="card labs" aria-labelledby="headline">
      <p class="note">
        <a href={studyAddress("labs")}>{labTexts.all}</a> · <span lang="en">{`${lab.objective} ${objective}`}</span> ·{" "}
        {fill(labTexts.minutes, { count: lab.minutes })}
      </p>
      <h1 id="headline" tabIndex={-1} lang="en">
        {lab.title}
      </h1>
      <KeepingNotice store={store} />
      <div lang="en" class="lab-text">
        <p>{lab.setting}</p>
        <p class="lab-question">{lab.question}</p>
      </div>
      <Hints hints={lab.hints} />
      <form
        class="lab-predict"
        onSubmit={(event) => {
          event.preventDefault();
          if (actual === undefined && !isFaulty && asking.state !== "asking") void reveal();
        }}
      >
        <ValueSlider
          id="lab-prediction"
          label={labTexts.prediction}
          unit={lab.unit}
          slider={slider}
          value={predicted}
          disabled={actual !== undefined}
          onValue={setPredicted}
          onFault={setFaulty}
        />
        <p class="note">
          {fill(labTexts.reads, { value: numberShown(predicted, { pointer: lab.answer_pointer, unit: lab.unit }) })}
        </p>
        {asking.state === "refused" ? <Complaints errors={asking.errors} /> : null}
        {asking.state === "failed" ? <Failed text={calculatorTexts.failed} again={() => void reveal()} /> : null}
        {actual === undefined ? (
          <p class="row lab-actions">
            <button type="submit" class="primary" disabled={isFaulty || asking.state === "asking"}>
              {labTexts.reveal}
            </button>
            <span class="note" role="status">
              {asking.state === "asking" ? labTexts.asking : ""}
            </span>
          </p>
        ) : null}
      </form>
      {actual === undefined ? null : <Revealed lab={lab} pack={pack} predicted={predicted} actual={actual} />}
      <Earlier lab={lab} predictions={earlier} />
    </section>
  );
}

/** Each hint is opened on its own. */
function Hints({ hints }: { hints: readonly string[] }) {
  const named = hints.map((text, i) => ({ text, name: i + 1 }));
  return (
    <div class="lab-hints">
      {named.map(({ text, name }) => (
        <Disclosure key={name} summary={fill(labTexts.hint, { place: name })}>
          {() => <p lang="en">{text}</p>}
        </Disclosure>
      ))}
    </div>
  );
}

/** Predictions of a lab before this visit. */
function Earlier({ lab, predictions }: { lab: Lab; predictions: readonly Review[] }) {
  if (predictions.length === 0) return null;
  const shown = { pointer: lab.answer_pointer, unit: lab.unit };
  return (
    <details class="lab-earlier">
      <summary>{labTexts.earlier}</summary>
      <ul>
        {predictions.map(({ id, time, answer, right }) => (
          <li key={id}>
            {dateText(time)}: {typeof answer === "number" ? numberShown(answer, shown) : "–"}{" "}
            <span class="note">
              {right ? `✓ ${fill(labTexts.within, { share: shareText(kRightWithin) })}` : `✗ ${labTexts.missed}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
