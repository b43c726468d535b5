/** Starts a quiz: in study mode as a session, in exam mode as an exam. */
import { kNoLimitSeconds } from "../../exam_clock.ts";
import { examOf, newSeed } from "../../exam_run.ts";
import { newId } from "../../log.ts";
import {
  askedCount,
  drawnCards,
  fieldsOf,
  type QuizCard,
  type QuizWish,
  queryText,
  quizMinutes,
  quizSeconds,
  startQuiz,
} from "../../quiz.ts";
import { studyAddress } from "../addresses.ts";
import { askQuestion } from "../ask_question.ts";
import { followHeadline } from "../headline_focus.ts";
import { beginQuiz } from "../session/running.ts";
import type { StudyTools } from "../study_data.ts";

/** What both ways of asking need. */
function made({ pack: { blueprint } }: StudyTools, wish: QuizWish, fitting: readonly QuizCard[]) {
  const seed = newSeed();
  const count = askedCount(fitting.length, wish);
  const query = queryText(fieldsOf(blueprint, wish));
  return { seed, count, query, cards: drawnCards(fitting, count, seed) };
}

/** False where it could not be begun. */
export async function startStudyQuiz(
  tools: StudyTools,
  wish: QuizWish,
  fitting: readonly QuizCard[],
): Promise<boolean> {
  const { count, query, cards } = made(tools, wish, fitting);
  const minutes = wish.timed ? quizMinutes(tools.pack.blueprint, count) : 0;
  beginQuiz(tools, startQuiz(cards, minutes, Date.now(), query));
  followHeadline();
  location.hash = studyAddress("session", "quiz");
  return true;
}

export async function startExamQuiz(tools: StudyTools, wish: QuizWish, fitting: readonly QuizCard[]): Promise<boolean> {
  const { pack, store } = tools;
  const { seed, count, query, cards } = made(tools, wish, fitting);
  const questions = await Promise.all(cards.map((card) => askQuestion(pack, card, seed)));
  const limitSeconds = wish.timed ? quizSeconds(pack.blueprint, count) : kNoLimitSeconds;
  const all = questions.filter((one) => one !== undefined);
  const own = { seed, limitSeconds, strict: !wish.timed, quiz: query };
  const exam = examOf(newId(), pack.blueprint.exam.id, all, own, Date.now());
  if (exam === undefined || all.length < cards.length) return false;
  await store.saveExam(exam);
  followHeadline();
  location.hash = studyAddress("exam");
  return true;
}
