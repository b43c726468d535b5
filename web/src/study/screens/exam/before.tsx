/** Before an exam: what it is, its rules, and what may be chosen. */
import { useState } from "preact/hooks";
import type { JsonObject } from "../../../json.ts";
import { fill } from "../../../messages.ts";
import { askEngine } from "../../../pages.ts";
import { Failed } from "../../../views/lazy.tsx";
import { questionsByDomain } from "../../blueprint.ts";
import type { PastExam } from "../../exam_marks.ts";
import type { ExamRecord } from "../../exam_record.ts";
import { passCount } from "../../exam_result.ts";
import { type ExamWish, examOf, kSeedRange, kTimeFactors, limitOf, newSeed } from "../../exam_run.ts";
import { newId } from "../../log.ts";
import { numberedQuestions } from "../../numbered_exams.ts";
import type { ExamForm, QuestionPack } from "../../pack.ts";
import { faultOf } from "../../sliders.ts";
import { examRequest } from "../exam_request.ts";

import { ExamKeys } from "./key_list.tsx";
import { minutesOf } from "./left.ts";
import { Numbers } from "./numbers.tsx";
import { shareText } from "./percent.ts";
import { examTexts } from "./texts.ts";

interface BeforeProps {
  pack: QuestionPack;
  /** Questions of the last exams. */
  seen: readonly string[];
  past: readonly PastExam[];
  onBegin: (exam: ExamRecord) => void;
}

export function Before(props: BeforeProps) {
  const { pack } = props;
  const { exam } = pack.blueprint;
  const { share, standing } = exam.pass_mark;
  return (
    <>
      <p class="exam-lead">{examTexts.lead}</p>
      <dl class="exam-facts">
        <div>
          <dt class="note">{examTexts.questions}</dt>
          <dd>{exam.questions}</dd>
        </div>
        <div>
          <dt class="note">{examTexts.time}</dt>
          <dd>{fill(examTexts.minutes, { count: exam.minutes })}</dd>
        </div>
        <div class="long">
          <dt class="note">{examTexts.passMark}</dt>
          <dd>
            {fill(examTexts.passMarkAssumed, {
              share: shareText(share),
              count: passCount(pack.blueprint),
              standing,
            })}
          </dd>
        </div>
      </dl>
      <Domains pack={pack} />
      <h2>{examTexts.rulesTitle}</h2>
      <ul class="exam-rules">
        {Object.entries(examTexts.rules).map(([key, rule]) => (
          <li key={key}>{rule}</li>
        ))}
      </ul>
      <Wishes {...props} />
      <ExamKeys />
    </>
  );
}

function Domains({ pack: { blueprint } }: Pick<BeforeProps, "pack">) {
  const counts = questionsByDomain(blueprint, blueprint.exam.questions);
  return (
    <table class="plain rows exam-domains">
      <caption class="hidden">{examTexts.byDomain}</caption>
      <thead>
        <tr>
          <th scope="col">{examTexts.domain}</th>
          <th scope="col" class="numeric">
            {examTexts.weight}
          </th>
          <th scope="col" class="numeric">
            {examTexts.questions}
          </th>
        </tr>
      </thead>
      <tbody>
        {blueprint.domains.map(({ id, name, weight }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td class="numeric">{shareText(weight)}</td>
            <td class="numeric">{counts.get(id)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type MadeWish = ExamWish & { form: ExamForm; seen: readonly string[] };

/** What the engine answers to the request of an exam; undefined where that is none. */
async function madeExam(pack: QuestionPack, wish: MadeWish) {
  const ask = async (asked: { seed: number; form: ExamForm; seen: readonly string[] }) =>
    JSON.parse(await askEngine(await examRequest(pack, asked))) as JsonObject;
  const questions = wish.number === undefined ? (await ask(wish)).questions : await numberedQuestions(wish.number, ask);
  return examOf(newId(), pack.blueprint.exam.id, Array.isArray(questions) ? questions : [], wish, Date.now());
}

const kForms: readonly ExamForm[] = ["exam", "challenge"];

function Wishes({ pack, seen, past, onBegin }: BeforeProps) {
  const { minutes } = pack.blueprint.exam;
  const [factor, setFactor] = useState(1);
  const [strict, setStrict] = useState(false);
  const [number, setNumber] = useState<number>();
  const [form, setForm] = useState<ExamForm>("exam");
  const [seed, setSeed] = useState(() => String(newSeed()));
  const [state, setState] = useState<"ready" | "making" | "failed">("ready");
  const isNew = number === undefined;
  const isFaulty = isNew && (seed.trim() === "" || faultOf(kSeedRange, Number(seed)) !== undefined);
  const begin = async () => {
    setState("making");
    const own = { limitSeconds: limitOf(minutes, factor), strict, seen };
    const wish: MadeWish = isNew
      ? { ...own, seed: Number(seed), form }
      : { ...own, seed: number, form: "exam", number };
    const made = await madeExam(pack, wish).catch(() => undefined);
    if (made === undefined) setState("failed");
    else onBegin(made);
  };
  const limits = kTimeFactors.map((one) => ({ factor: one, count: minutesOf(limitOf(minutes, one)) }));
  return (
    <form
      class="exam-wishes"
      aria-labelledby="exam-wishes"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isFaulty && state !== "making") void begin();
      }}
    >
      <h2 id="exam-wishes">{examTexts.settings}</h2>
      <Numbers pack={pack} past={past} number={number} choose={setNumber} />
      {isNew ? (
        <fieldset class="exam-forms">
          <legend>{examTexts.form}</legend>
          {kForms.map((one) => (
            <label key={one} class="check">
              <input type="radio" name="exam-form" checked={form === one} onChange={() => setForm(one)} />
              <span>
                {examTexts.forms[one]} <span class="note">{examTexts.formNotes[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <div class="exam-fields">
        <div class="field">
          <label for="exam-time">{examTexts.timeLimit}</label>
          <select
            id="exam-time"
            aria-describedby="exam-time-note"
            value={String(factor)}
            onChange={({ currentTarget }) => setFactor(Number(currentTarget.value))}
          >
            {limits.map(({ factor: one, count }) => (
              <option key={one} value={String(one)}>
                {fill(one === 1 ? examTexts.timeAsReal : examTexts.timeLonger, { count })}
              </option>
            ))}
          </select>
          <p class="note" id="exam-time-note">
            {examTexts.timeNote}
          </p>
        </div>
        {isNew ? (
          <div class="field">
            <label for="exam-seed">{examTexts.seed}</label>
            <input
              id="exam-seed"
              type="number"
              value={seed}
              aria-invalid={isFaulty}
              aria-describedby="exam-seed-note"
              onInput={({ currentTarget }) => setSeed(currentTarget.value)}
            />
            <p class={isFaulty ? "fault" : "note"} id="exam-seed-note">
              {isFaulty
                ? fill(examTexts.seedFault, kSeedRange as unknown as Record<string, number>)
                : examTexts.seedNote}
            </p>
          </div>
        ) : null}
      </div>
      <label class="check">
        <input type="checkbox" checked={strict} onChange={({ currentTarget }) => setStrict(currentTarget.checked)} />
        <span>{examTexts.strict}</span>
      </label>
      {state === "failed" ? <Failed text={examTexts.failed} again={() => void begin()} /> : null}
      <p class="row exam-actions">
        <button type="submit" class="primary" disabled={isFaulty || state === "making"}>
          {examTexts.begin}
        </button>
        <span class="note" role="status">
          {state === "making" ? examTexts.making : ""}
        </span>
      </p>
    </form>
  );
}
