/** What can be done once the solution is open: try it with own numbers, or report that something is wrong. */
import { messages } from "../../../messages.ts";
import type { Screen } from "../../../route.ts";
import { CopyableText } from "../../../screens/files.tsx";
import { usePage } from "../../../state.ts";
import { ScreenLink } from "../../../views/screen_link.tsx";
import { problemText } from "../../answering.ts";
import { plannerScreen } from "../../planner_screens.ts";
import type { Answer, Question } from "../../question.ts";
import { questionTexts } from "./texts.ts";

export function AfterAnswer({ question, answer }: { question: Question; answer: Answer | undefined }) {
  const { podwright_version: version = "", catalog_digest: digest = "" } = usePage().state.answer.value;
  const screen = plannerScreen(question) as Screen | undefined;
  return (
    <>
      {screen === undefined ? null : (
        <p>
          {questionTexts.tryInPlanner} <ScreenLink screen={screen}>{messages.screens[screen]}</ScreenLink>
        </p>
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
