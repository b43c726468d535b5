/** The fields of a quiz. */
import { fill } from "../../../messages.ts";
import { type Blueprint, domainOf } from "../../blueprint.ts";
import { kAsks, kLevels } from "../../pack.ts";
import {
  isCount,
  kEveryLevel,
  kQuizCount,
  kQuizModes,
  kQuizOnly,
  type QuizOnly,
  type QuizWish,
  quizMinutes,
  toggledIn,
} from "../../quiz.ts";
import { quizTexts } from "./texts.ts";

type Change = (next: Partial<QuizWish>) => void;

interface ChoicesProps {
  blueprint: Blueprint;
  wish: QuizWish;
  /** The count as it was typed. */
  countText: string;
  change: Change;
  changeCount: (text: string) => void;
}

export function Choices({ blueprint, wish, countText, change, changeCount }: ChoicesProps) {
  return (
    <>
      <div class="quiz-fields">
        <Count wish={wish} text={countText} change={changeCount} />
        <Only only={wish.only} change={change} />
        <LevelField level={wish.level} change={change} />
      </div>
      <Objectives blueprint={blueprint} chosen={wish.objectives} change={change} />
      <div class="quiz-fields">
        <Kinds asks={wish.asks} change={change} />
        <Mode blueprint={blueprint} wish={wish} change={change} />
      </div>
    </>
  );
}

function Count({ wish, text, change }: { wish: QuizWish; text: string; change: (text: string) => void }) {
  const isFaulty = !isCount(wish.count);
  const range = { min: kQuizCount.min, max: kQuizCount.max };
  return (
    <div class="field">
      <label for="quiz-count">{quizTexts.count}</label>
      <input
        id="quiz-count"
        type="number"
        min={kQuizCount.min}
        max={kQuizCount.max}
        step="1"
        value={text}
        aria-invalid={isFaulty}
        aria-describedby="quiz-count-note"
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <p class={isFaulty ? "fault" : "note"} id="quiz-count-note">
        {fill(isFaulty ? quizTexts.countFault : quizTexts.countNote, range)}
      </p>
    </div>
  );
}

interface OnlyProps {
  only: QuizOnly;
  change: Change;
}

function Only({ only, change }: OnlyProps) {
  return (
    <div class="field">
      <label for="quiz-only">{quizTexts.only}</label>
      <select
        id="quiz-only"
        value={only}
        onChange={({ currentTarget }) =>
          change({ only: kQuizOnly.find((one) => one === currentTarget.value) ?? "all" })
        }
      >
        {kQuizOnly.map((one) => (
          <option key={one} value={one}>
            {quizTexts.onlyWords[one]}
          </option>
        ))}
      </select>
    </div>
  );
}

function LevelField({ level, change }: { level: QuizWish["level"]; change: Change }) {
  return (
    <div class="field">
      <label for="quiz-level">{quizTexts.level}</label>
      <select
        id="quiz-level"
        value={level ?? kEveryLevel}
        onChange={({ currentTarget }) => change({ level: kLevels.find((one) => one === currentTarget.value) })}
      >
        <option value={kEveryLevel}>{quizTexts.levels[kEveryLevel]}</option>
        {kLevels.map((one) => (
          <option key={one} value={one}>
            {quizTexts.levels[one]}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ObjectivesProps {
  blueprint: Blueprint;
  /** Empty: all. */
  chosen: ReadonlySet<string>;
  change: Change;
}

function Objectives({ blueprint: { domains, objectives }, chosen, change }: ObjectivesProps) {
  const choose = (ids: readonly string[], isIn: boolean) => change({ objectives: toggledIn(chosen, ids, isIn) });
  return (
    <fieldset class="quiz-objectives">
      <legend>{quizTexts.objectives}</legend>
      <Check
        text={quizTexts.allObjectives}
        checked={chosen.size === 0}
        choose={() => change({ objectives: new Set() })}
      />
      <div class="quiz-domains">
        {domains.map(({ id, name }) => {
          const own = objectives.filter((one) => domainOf(one.id) === id);
          const ids = own.map((one) => one.id);
          const count = ids.filter((one) => chosen.has(one)).length;
          return (
            <fieldset key={id}>
              <legend>{name}</legend>
              <Check
                text={fill(quizTexts.allOfDomain, { domain: name })}
                checked={count === ids.length}
                isPartly={count > 0 && count < ids.length}
                choose={(isIn) => choose(ids, isIn)}
              />
              {own.map((one) => (
                <Check
                  key={one.id}
                  text={`${one.id} ${one.text}`}
                  english
                  checked={chosen.has(one.id)}
                  choose={(isIn) => choose([one.id], isIn)}
                />
              ))}
            </fieldset>
          );
        })}
      </div>
    </fieldset>
  );
}

interface CheckProps {
  text: string;
  checked: boolean;
  isPartly?: boolean;
  english?: boolean;
  choose: (isIn: boolean) => void;
}

function Check({ text, checked, isPartly = false, english = false, choose }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        indeterminate={isPartly}
        onChange={({ currentTarget }) => {
          const isIn = currentTarget.checked;
          // What was chosen may be as before, and then nothing is drawn anew.
          currentTarget.checked = checked;
          choose(isIn);
        }}
      />
      <span lang={english ? "en" : undefined}>{text}</span>
    </label>
  );
}

function Kinds({ asks, change }: { asks: QuizWish["asks"]; change: Change }) {
  return (
    <fieldset>
      <legend>{quizTexts.asks}</legend>
      {kAsks.map((one) => (
        <Check
          key={one}
          text={quizTexts.asksWords[one]}
          checked={asks.has(one)}
          choose={(isIn) => change({ asks: toggledIn(asks, [one], isIn) })}
        />
      ))}
    </fieldset>
  );
}

function Mode({ blueprint, wish, change }: { blueprint: Blueprint; wish: QuizWish; change: Change }) {
  return (
    <fieldset>
      <legend>{quizTexts.mode}</legend>
      {kQuizModes.map((one) => (
        <label key={one} class="check">
          <input type="radio" name="quiz-mode" checked={wish.mode === one} onChange={() => change({ mode: one })} />
          <span>
            {quizTexts.modes[one]} <span class="note">{quizTexts.modeNotes[one]}</span>
          </span>
        </label>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={wish.timed}
          onChange={({ currentTarget }) => change({ timed: currentTarget.checked })}
        />
        <span>
          {quizTexts.timed}{" "}
          {isCount(wish.count) ? (
            <span class="note">{fill(quizTexts.timedNote, { minutes: quizMinutes(blueprint, wish.count) })}</span>
          ) : null}
        </span>
      </label>
    </fieldset>
  );
}
