/** Cards to recall: the decks with what is due, the learner's own cards, and what is bookmarked or not asked again. */
import { Failed } from "../../views/lazy.tsx";
import type { StudyScreenProps } from "./addresses.ts";
import { DeckList } from "./cards/decks.tsx";
import { MarkedParts } from "./cards/marked.tsx";
import { OwnPart } from "./cards/own_part.tsx";
import { cardTexts } from "./cards/texts.ts";
import { KeepingNotice } from "./keeping_notice.tsx";
import { Opening, StudyCard } from "./opening.tsx";
import { useTerms } from "./session/terms.ts";
import { useStudy } from "./study_data.ts";
import { studyTexts } from "./texts.ts";
import "./session/session.css";
import "./cards/cards.css";

export function Cards(_: StudyScreenProps) {
  const { study, failed, again } = useStudy();
  const terms = useTerms(true);
  if (failed) return <Failed again={again} />;
  if (terms.failed) return <Failed again={terms.again} />;
  if (study === undefined || !terms.isThere) return <Opening />;
  return (
    <>
      <StudyCard kind="card cards" title={studyTexts.screens.cards}>
        <KeepingNotice store={study.store} />
        <p class="cards-lead">{cardTexts.lead}</p>
        <DeckList tools={study} />
      </StudyCard>
      <OwnPart tools={study} />
      <MarkedParts tools={study} />
    </>
  );
}
