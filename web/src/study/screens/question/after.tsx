/** What can be done once the solution is open: try it with own numbers, or report that something is wrong. */
import { useEffect, useState } from "preact/hooks";
import { messages } from "../../../messages.ts";
import { usePage } from "../../../page.ts";
import { pathOf, type Screen } from "../../../route.ts";
import { CopyableText } from "../../../screens/files.tsx";
import { ScreenLink } from "../../../views/screen_link.tsx";
import { problemText } from "../../answering.ts";
import { plannerScreen } from "../../planner_screens.ts";
import type { Answer, Question } from "../../question.ts";
import { caseAddress } from "./case_address.ts";
import { questionTexts } from "./texts.ts";

export function AfterAnswer({ question, answer }: { question: Question; answer: Answer | undefined }) {
  const { podwright_version: version = "", catalog_digest: digest = "" } = usePage().state.answer.value;
  return (
    <>
      {question.planner === undefined ? (
        <LikeIt question={question} />
      ) : (
        <ItsCase key={question.id} question={question} />
      )}
      <details class="sub-fold report-problem">
        <summary>{questionTexts.report}</summary>
        <p class="note">{questionTexts.reportNote}</p>
        <CopyableText
          title={question.id}
          text={problemText(question, answer, `Podwright ${version}, catalog ${digest.slice(0, 8)}`)}
        />
      </details>
    </>
  );
}

/** The screen shows the numbers of this question. */
function ItsCase({ question }: { question: Question }) {
  const [address, setAddress] = useState<string>();
  const screen = question.planner?.screen as Screen;
  useEffect(() => {
    caseAddress(question).then(setAddress);
  }, []);
  return (
    <p>
      {questionTexts.caseInPlanner} <a href={address ?? `#${pathOf(screen)}`}>{messages.screens[screen]}</a>
    </p>
  );
}

/** The screen opens with what it showed last. */
function LikeIt({ question }: { question: Question }) {
  const screen = plannerScreen(question) as Screen | undefined;
  if (screen === undefined) return null;
  return (
    <p>
      {questionTexts.tryInPlanner} <ScreenLink screen={screen}>{messages.screens[screen]}</ScreenLink>
    </p>
  );
}
