/** Questions as notes of two sides: what is asked with its options, and what is right with the reasons. */
import type { AnkiNote } from "./anki.ts";
import { answerText, letterOf, rightAnswer } from "./answering.ts";
import { cardOf, type Question } from "./question.ts";

function front({ kind, prompt, drawing, options, lefts, answer }: Question): string {
  const listed = options.map(({ text }, place) => `${letterOf(place)}) ${text}`);
  const lines = kind === "match" ? [...(lefts ?? []), "", ...listed] : listed;
  const unit = kind === "numeric" && answer.unit !== undefined && answer.unit !== "1" ? [`(in ${answer.unit})`] : [];
  return [prompt, ...(drawing === undefined ? [] : ["", drawing]), "", ...lines, ...unit].join("\n").trimEnd();
}

function back(question: Question): string {
  const { options, kind, solution, source } = question;
  const whys =
    kind === "numeric"
      ? []
      : options.flatMap(({ text, why }) => (why === undefined || why === "" ? [] : [`${text}: ${why}`]));
  return [
    answerText(question, rightAnswer(question)),
    "",
    ...solution.map(({ text }) => text),
    "",
    ...whys,
    ...(source === undefined || source === "" ? [] : ["", `Sources: ${source}`]),
  ].join("\n");
}

export const noteOf = (question: Question): AnkiNote => ({
  id: cardOf(question),
  front: front(question),
  back: back(question),
  tags: ["nca-aiio", `objective-${question.objective}`],
});
