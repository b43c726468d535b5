/** The labs: their list, and one of them (`#/study/labs/ID`). */
import { useEffect, useState } from "preact/hooks";
import { fill, messages } from "../../messages.ts";
import { Failed } from "../../views/lazy.tsx";
import { kRightWithin, type Lab, type LabPack, predictionsOf } from "../labs.ts";
import { studyFile } from "../pack.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { shareText } from "./exam/percent.ts";
import { KeepingNotice } from "./keeping_notice.tsx";
import { LabPage } from "./labs/lab_page.tsx";
import { labTexts } from "./labs/texts.ts";
import { StudyCard } from "./opening.tsx";
import { type StudyTools, useStudy } from "./study_data.ts";
import { studyTexts } from "./texts.ts";
import "./labs/labs.css";

/** The file of the labs; undefined until it is there. */
function useLabs() {
  const [pack, setPack] = useState<LabPack>();
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    studyFile<LabPack>("labs.json").then(setPack, () => setFailed(true));
  };
  useEffect(load, []);
  return { pack, failed, load };
}

export function Labs({ rest: [id] }: StudyScreenProps) {
  const { study, failed, again } = useStudy();
  const { pack, failed: labsFailed, load } = useLabs();
  const lab = pack?.labs.find((one) => one.id === id);
  if (study !== undefined && pack !== undefined && lab !== undefined)
    return <LabPage key={lab.id} lab={lab} pack={pack} study={study} />;
  return (
    <StudyCard kind="card labs" title={studyTexts.screens.labs}>
      {failed || labsFailed ? (
        <Failed again={labsFailed ? load : again} />
      ) : study === undefined || pack === undefined ? (
        <p class="note opening">{messages.loadingScreen}</p>
      ) : (
        <>
          {id === undefined ? null : <p class="notice">{labTexts.unknown}</p>}
          <LabList labs={pack.labs} study={study} />
        </>
      )}
    </StudyCard>
  );
}

function LabList({ labs, study: { store, pack } }: { labs: readonly Lab[]; study: StudyTools }) {
  const { reviews } = store.data();
  const objective = (id: string) => pack.blueprint.objectives.find((one) => one.id === id)?.text ?? "";
  return (
    <>
      <p class="labs-lead">{fill(labTexts.lead, { share: shareText(kRightWithin) })}</p>
      <KeepingNotice store={store} />
      <ul class="labs-list">
        {labs.map(({ id, title, objective: of, minutes }) => {
          const last = predictionsOf(reviews, id).at(-1);
          return (
            <li key={id}>
              <a href={studyAddress("labs", id)} lang="en">
                {title}
              </a>
              <p class="note">
                <span lang="en">
                  {of} {objective(of)}
                </span>{" "}
                · {fill(labTexts.minutes, { count: minutes })}
              </p>
              <span class={last?.right ? "lab-state good" : "lab-state"}>{stateText(last?.right)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The last prediction in a word and a sign. */
function stateText(right: boolean | undefined): string {
  if (right === undefined) return `○ ${labTexts.untried}`;
  return right ? `✓ ${fill(labTexts.within, { share: shareText(kRightWithin) })}` : `✗ ${labTexts.missed}`;
}
