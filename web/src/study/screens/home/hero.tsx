/** Where the learner stands, in words of progress, and the days of the last two weeks. */
import { numberText } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { wholeNumber, wholePercent } from "../../home_numbers.ts";
import { answerTimes, daysStudied, lastDays, streakOf } from "../../study_days.ts";
import { isBehind, isNear } from "../../study_plan.ts";
import { studyAddress } from "../addresses.ts";
import { percentText } from "../session/confidence.tsx";
import { dayText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { planTexts } from "./plan_texts.ts";
import { type Progress, wholeExams } from "./progress.ts";

const daysText = (days: number) =>
  days === 0 ? planTexts.hero.dayNone : days === 1 ? planTexts.hero.dayOne : fill(planTexts.hero.days, { days });

/** "132 of 412 questions seen, 12 days to go, on track" */
export function progressText({ seen, all, daysLeft, pace, forecast }: Progress): string {
  return [
    fill(planTexts.hero.seen, { seen, all }),
    ...(daysLeft === undefined ? [] : [daysText(daysLeft)]),
    ...(pace === undefined ? [] : [planTexts.hero[isBehind(forecast) ? "behind" : pace.standing]]),
  ].join(planTexts.hero.between);
}

/** What the time suffices for, and what the results say where they speak against passing. */
export function PaceLine({ progress, minutes }: { progress: Progress; minutes: number }) {
  const { pace, daysLeft = 0, forecast } = progress;
  if (pace === undefined) return null;
  const { standing, share, perDay } = pace;
  return (
    <p>
      {standing === "good"
        ? fill(planTexts.hero.paceGood, { minutes })
        : isNear(daysLeft)
          ? planTexts.hero.paceNear
          : fill(planTexts.hero.paceShort, { minutes, perDay, share: percentText(wholePercent(share)) })}
      {forecast === undefined || !isBehind(forecast)
        ? ""
        : ` ${fill(planTexts.hero.behindLine, { ...forecast, expected: numberText(wholeNumber(forecast.expected)) })}`}
    </p>
  );
}

const kDaysShown = 14;

/** A square for each day; what it stands for is its text. */
export function DaysRow({ tools, now }: { tools: StudyTools; now: number }) {
  const times = answerTimes(tools.store.data());
  const streak = streakOf(times, now);
  const studied = daysStudied(times, now);
  const { hero } = planTexts;
  const streakText =
    streak === 0 ? hero.streakNone : streak === 1 ? hero.streakOne : fill(hero.streak, { days: streak });
  return (
    <div class="study-days">
      <p>
        <b>{streakText}</b> · {studied === 1 ? hero.studiedOne : fill(hero.studied, { days: studied })}
        {wholeExams(tools).length === 0 ? null : (
          <>
            {" · "}
            <a href={studyAddress("exam")}>{hero.history}</a>
          </>
        )}
      </p>
      <ol aria-label={hero.daysTitle}>
        {lastDays(times, now, kDaysShown).map(({ time, answers, level }) => {
          const text = fill(hero.dayAnswers, { day: dayText(time), count: answers });
          return (
            <li key={time} data-level={level} title={text}>
              <span class="hidden">{text}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
