/** The question of a card and a seed: a template is asked of the engine, a written question is shuffled here. */
import { askEngine } from "../../pages.ts";
import type { QuestionPack } from "../pack.ts";
import { type Question, readQuestion } from "../question.ts";
import { shownQuestion } from "../shown_question.ts";
import { loadWritten } from "./in_language.ts";

/** Undefined where the card is gone or the engine does not answer with a question. */
export async function askQuestion(pack: QuestionPack, card: string, seed: number): Promise<Question | undefined> {
  const objective = Object.keys(pack.written).find((one) => pack.written[one]?.some(({ id }) => id === card));
  if (objective !== undefined) {
    const { file = objective } = pack.written[objective]?.find(({ id }) => id === card) ?? {};
    const { questions } = await loadWritten(file);
    const written = questions.find(({ id }) => id === card);
    return written && shownQuestion(written, objective, seed);
  }
  if (!pack.templates.some(({ id }) => id === card)) return undefined;
  const text = await askEngine({ kind: "question", template: card, seed });
  return readQuestion((JSON.parse(text) as { question?: unknown }).question);
}
