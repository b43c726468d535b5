/** What the learner is able to in each domain, and how well that is known. */
import { fill } from "../../../messages.ts";
import { NumbersTable } from "../../../screens/charts/chart_table.tsx";
import { Disclosure } from "../../../views/fold.tsx";
import type { FreshAnswer } from "../../exam_kind.ts";
import { abilityRange, examAbilities, kStatisticAnswers, missingAnswers } from "../../home_numbers.ts";
import { percentText } from "../session/confidence.tsx";
import type { StudyTools } from "../study_data.ts";
import { examForecastNow } from "./progress.ts";
import { studyHomeTexts } from "./texts.ts";

/** Another measure than the score to expect, so that it stands folded. */
export function Ability({ tools }: { tools: StudyTools }) {
  const { concepts } = examForecastNow(tools).fresh;
  const missing = missingAnswers(kStatisticAnswers, concepts.length);
  if (missing > 0) return <p>{fill(studyHomeTexts.abilityFew, { count: missing })}</p>;
  return (
    <>
      <p class="note">{studyHomeTexts.abilityLead}</p>
      <Disclosure summary={studyHomeTexts.abilityShow}>
        {() => <AbilityTable tools={tools} concepts={concepts} />}
      </Disclosure>
    </>
  );
}

function AbilityTable({ tools, concepts }: { tools: StudyTools; concepts: readonly FreshAnswer[] }) {
  const abilities = examAbilities(concepts);
  return (
    <>
      <NumbersTable
        columns={[studyHomeTexts.domain, studyHomeTexts.ability, studyHomeTexts.abilityInterval]}
        rows={tools.pack.blueprint.domains.map(({ id, name }) => {
          const range = abilityRange(abilities.get(id));
          return {
            key: id,
            cells:
              range === undefined
                ? [name, studyHomeTexts.notAsked, "–"]
                : [name, percentText(range.middle), `${percentText(range.low)} – ${percentText(range.high)}`],
          };
        })}
      />
      <p class="note">{studyHomeTexts.abilityNote}</p>
    </>
  );
}
