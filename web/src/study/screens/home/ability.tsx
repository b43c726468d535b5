/** What the learner is able to in each domain, and how well that is known. */
import { NumbersTable } from "../../../screens/charts/chart_table.tsx";
import { abilityRange } from "../../home_numbers.ts";
import type { Learner } from "../../learner.ts";
import { percentText } from "../session/confidence.tsx";
import type { StudyTools } from "../study_data.ts";
import { studyHomeTexts } from "./texts.ts";

export function AbilityTable({ tools, learner }: { tools: StudyTools; learner: Learner }) {
  return (
    <NumbersTable
      columns={[studyHomeTexts.domain, studyHomeTexts.ability, studyHomeTexts.abilityInterval]}
      rows={tools.pack.blueprint.domains.map(({ id, name }) => {
        const range = abilityRange(learner.abilities.get(id));
        return {
          key: id,
          cells:
            range === undefined
              ? [name, studyHomeTexts.notAsked, "–"]
              : [name, percentText(range.middle), `${percentText(range.low)} – ${percentText(range.high)}`],
        };
      })}
    />
  );
}
