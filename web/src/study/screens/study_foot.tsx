/** Below every screen of the study tool: whose it is not, and when its content was looked at. */
import { fill } from "../../messages.ts";
import { aboutExam } from "../pack.ts";
import { planTexts } from "./home/plan_texts.ts";
import { longDayText } from "./span_text.ts";
import { examNow } from "./study_data.ts";

/** A date without a time is the same day everywhere. */
const dayOf = (date: string) => longDayText(new Date(`${date}T12:00`).getTime());

export function StudyFoot() {
  const { reviewed, version, checked, name } = aboutExam(examNow());
  return (
    <p class="note study-foot">
      {planTexts.foot.free}{" "}
      {[
        fill(planTexts.foot.checked, { date: dayOf(reviewed) }),
        fill(planTexts.foot.blueprint, { version, date: dayOf(checked), name }),
      ].join(" · ")}
    </p>
  );
}
