/** A question whose picture is told in words, for places that show text alone. */
import { type Drawing, drawingWords, withHidden } from "../../drawing.ts";
import { studyFile } from "../../pack.ts";
import type { Question } from "../../question.ts";
import { drawingTexts } from "../drawing_texts.ts";

export async function withPictureWords(question: Question | undefined): Promise<Question | undefined> {
  if (question?.picture === undefined) return question;
  const drawing = withHidden(await studyFile<Drawing>(`drawings/${question.picture}.json`), question.hidden);
  const words = [drawing.title, drawing.shows, ...drawingWords(drawing, drawingTexts.phrases)];
  return { ...question, drawing: words.join("\n") };
}
