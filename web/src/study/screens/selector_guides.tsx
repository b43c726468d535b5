/** Rules of study guides behind the questions, each with the verdict of the ledger. Read when the fold is opened. */
import { useState } from "preact/hooks";
import type { LedgerPack } from "../ledger.ts";
import type { SelectorQuestion } from "../selector.ts";
import { studyAddress } from "./addresses.ts";
import { VerdictMark } from "./ledger_table.tsx";
import { selectorTexts } from "./selector_texts.ts";
import { StudyFile } from "./study_file.tsx";
import "./ledger.css";

export function SelectorGuides({ questions }: { questions: readonly SelectorQuestion[] }) {
  const [opened, setOpened] = useState(false);
  const wanted = new Set(questions.flatMap(({ claims }) => claims));
  return (
    <details class="selector-guides" onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{selectorTexts.guides}</summary>
      {opened ? (
        <StudyFile<LedgerPack> file="claims.json">
          {({ claims }) => (
            <ul class="selector-claims" lang="en">
              {claims
                .filter(({ id }) => wanted.has(id))
                .map(({ id, statement, answer, verdict }) => (
                  <li key={id}>
                    <q>{statement}</q> <VerdictMark verdict={verdict} />
                    <p>
                      {answer} <a href={`${studyAddress("ledger")}?text=${id}`}>{id}</a>
                    </p>
                  </li>
                ))}
            </ul>
          )}
        </StudyFile>
      ) : null}
    </details>
  );
}
