/** The session that is on: its card, its question, and everything that can be done to it. Each answer is kept at once. */
import { signal } from "@preact/signals";
import { store as keepText, stored } from "../../../settings.ts";
import { trapsChosen } from "../../answering.ts";
import { learnerOf, minutesOf, usualSeconds } from "../../learner.ts";
import { type Mistake, newId, type Review } from "../../log.ts";
import { type Answer, isRight, type Question } from "../../question.ts";
import { isRecallCard, isTermCard, type RecallText, recallText } from "../../recall.ts";
import { type Grade, type GradedAnswer, kAgain, suggestedGrade } from "../../scheduler.ts";
import {
  backToLast,
  begun,
  changed,
  finished,
  goesOn,
  keptSession,
  readSession,
  type Session,
  type SessionKind,
  secondsAt,
  skippedCurrent,
  startSession,
} from "../../session.ts";
import { nextCard } from "../../session_queue.ts";
import { askToPersist } from "../../store.ts";
import { askQuestion } from "../ask_question.ts";
import type { StudyTools } from "../study_data.ts";
import { nextMinutes } from "./plan_minutes.ts";
import { deckNow, loadTerms, termsNow } from "./terms.ts";

const kName = "study session";

export const session = signal<Session | undefined>(undefined);
/** Undefined while it is asked. */
export const question = signal<Question | "failed" | undefined>(undefined);
/** The recall card that is on, where it is one. */
export const recall = signal<RecallText | undefined>(undefined);

const fresh = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;

/** Where the log is in memory alone, a session of the last visit would have lost its answers; none is kept. */
function keep({ store }: StudyTools): void {
  if (session.value === undefined || store.keeping.value.where === "memory") return;
  keepText(kName, JSON.stringify(keptSession(session.value, Date.now())));
}

function set(tools: StudyTools, next: Session): void {
  session.value = next;
  keep(tools);
}

function change(tools: StudyTools, changes: Parameters<typeof changed>[2]): void {
  if (session.value !== undefined) set(tools, changed(session.value, Date.now(), changes));
}

/** What is on a recall card, once the glossary is there where it is a term's. */
async function recallOf({ store }: StudyTools, card: string): Promise<RecallText | undefined> {
  if (isTermCard(card)) await loadTerms();
  return recallText(card, termsNow(), store.data().own);
}

async function ask(tools: StudyTools): Promise<void> {
  const asked = session.value?.current;
  question.value = undefined;
  recall.value = undefined;
  if (asked === undefined) return;
  const { card, seed } = asked;
  const isOn = () => session.value?.current?.card === card && session.value.current.seed === seed;
  if (isRecallCard(card)) {
    const found = await recallOf(tools, card).catch(() => undefined);
    if (!isOn()) return;
    if (found === undefined) question.value = "failed";
    else recall.value = found;
    return;
  }
  const found = await askQuestion(tools.pack, card, seed).catch(() => undefined);
  if (isOn()) question.value = found ?? "failed";
}

/** The next card, or the end where there is none. */
function advance(tools: StudyTools): void {
  const now = Date.now();
  const running = session.value;
  if (running === undefined) return;
  const data = tools.store.data();
  const learner = learnerOf(tools.pack, data, now);
  const source = { blueprint: tools.pack.blueprint, data, learner, deck: deckNow(tools, now) };
  const card = nextCard(source, running, now);
  if (card !== undefined) set(tools, begun(running, card, fresh(), now));
  void ask(tools);
}

/** Goes on with the session of this kind, after a reload too, or begins one. */
export function openSession(tools: StudyTools, kind: SessionKind, about?: string): void {
  const now = Date.now();
  const known = session.value ?? readSession(stored(kName), now);
  if (known === undefined || !goesOn(known, kind, about, now)) {
    beginSession(tools, kind, about);
    return;
  }
  session.value = known;
  if (known.current === undefined) advance(tools);
  else void ask(tools);
}

export function beginSession(tools: StudyTools, kind: SessionKind, about?: string): void {
  const now = Date.now();
  const data = tools.store.data();
  const minutes =
    kind === "plan" ? nextMinutes(tools, learnerOf(tools.pack, data, now), now) : minutesOf(data.settings);
  set(tools, startSession(kind, minutes, now, about));
  advance(tools);
}

/** A quiz that has been made. */
export function beginQuiz(tools: StudyTools, quiz: Session): void {
  set(tools, quiz);
  advance(tools);
}

export const draft = (tools: StudyTools, answer: Answer | undefined) => change(tools, { answer });

export const sayConfidence = (tools: StudyTools, confidence: number | undefined) => change(tools, { confidence });

/** Shows the solution and keeps the review with the suggested grade, so that a reload now loses nothing; null is "I do not know". */
export function check(tools: StudyTools, answer: Answer | null): void {
  const running = session.value;
  const asked = question.value;
  const current = running?.current;
  if (running === undefined || current === undefined || current.review !== undefined) return;
  if (asked === undefined || asked === "failed") return;
  const { store } = tools;
  const time = Date.now();
  const seconds = secondsAt(current, time);
  const right = answer !== null && isRight(asked, answer);
  const confidence = answer === null ? undefined : current.confidence;
  const traps = answer === null ? [] : trapsChosen(asked, answer);
  const review: Omit<Review, "grade"> = {
    id: newId(),
    card: current.card,
    question: `${current.card}/${current.seed}`,
    objective: asked.objective,
    time,
    right,
    answer: answer === null ? null : typeof answer === "number" ? answer : [...answer],
    seconds,
    ...(confidence === undefined ? {} : { confidence }),
    ...(traps.length === 0 ? {} : { traps }),
    session: running.id,
  };
  const isFirst = store.data().reviews.length === 0;
  void store
    .addReview({ ...review, grade: suggestionOf(tools, review) })
    .then(() => (isFirst ? askToPersist() : undefined));
  change(tools, { answer, confidence, seconds, review: review.id });
}

/** Shows the back of a recall card; nothing is kept in the log before its grade. */
export function turn(tools: StudyTools): void {
  const current = session.value?.current;
  if (current === undefined || recall.value === undefined || current.turned === true) return;
  change(tools, { turned: true, seconds: secondsAt(current, Date.now()) });
}

/** Keeps the grade of the recall card that is on, and goes on. */
export function gradeRecall(tools: StudyTools, chosen: Grade): void {
  const running = session.value;
  const current = running?.current;
  const shown = recall.value;
  if (running === undefined || current === undefined || shown === undefined || current.turned !== true) return;
  const { store } = tools;
  const before = currentReview(tools);
  const now = Date.now();
  const isFirst = store.data().reviews.length === 0;
  const review: Review = {
    id: newId(),
    card: current.card,
    question: current.card,
    objective: shown.objective,
    time: now,
    seconds: current.seconds,
    session: running.id,
    ...before,
    grade: chosen,
    right: chosen !== kAgain,
    // Nobody says it to the page.
    answer: null,
  };
  void store.addReview(review).then(() => (isFirst ? askToPersist() : undefined));
  set(tools, finished(changed(running, now, { review: review.id }), now));
  advance(tools);
}

/** The grade that speaks for itself: from what came out, the time it took, and how sure the learner was. */
export const suggestionOf = ({ pack }: StudyTools, { right, seconds, confidence }: GradedAnswer): Grade =>
  suggestedGrade({ right, seconds, confidence }, usualSeconds(pack.blueprint));

/** The review of the card that is on, once it is answered. */
export function currentReview({ store }: StudyTools): Review | undefined {
  const id = session.value?.current?.review;
  return id === undefined ? undefined : store.data().reviews.find((one) => one.id === id);
}

/** Says why it was wrong; the same again takes it back. */
export function tag(tools: StudyTools, mistake: Mistake): void {
  const review = currentReview(tools);
  if (review === undefined || review.right) return;
  const { mistake: before, ...rest } = review;
  const now = before === mistake ? undefined : mistake;
  void tools.store.addReview(now === undefined ? rest : { ...rest, mistake: now });
  change(tools, { mistake: now });
}

export function grade(tools: StudyTools, chosen: Grade): void {
  const review = currentReview(tools);
  if (review === undefined || session.value === undefined) return;
  if (review.grade !== chosen) void tools.store.addReview({ ...review, grade: chosen });
  set(tools, finished(session.value, Date.now()));
  advance(tools);
}

/** Takes the answer back where it is open; before an answer, goes back to the grades of the last card. */
export function undo(tools: StudyTools): boolean {
  const running = session.value;
  const current = running?.current;
  if (running === undefined) return false;
  if (current !== undefined && isRecallCard(current.card) && current.turned === true) {
    if (current.review !== undefined) void tools.store.removeReview(current.review);
    change(tools, { review: undefined, turned: undefined, since: Date.now() });
    return true;
  }
  if (current?.review !== undefined) {
    void tools.store.removeReview(current.review);
    change(tools, { review: undefined, mistake: undefined, answer: current.answer ?? undefined, since: Date.now() });
    return true;
  }
  const last = running.done.at(-1);
  const review = tools.store.data().reviews.find(({ id }) => id === last?.review);
  if (review === undefined) return false;
  const back = backToLast({ ...running, ended: false }, Date.now(), review);
  set(tools, isRecallCard(review.card) ? changed(back, Date.now(), { turned: true }) : back);
  void ask(tools);
  return true;
}

/** Whether a session of the plan would go on where it was left. */
export function hasOpenSession(): boolean {
  const now = Date.now();
  const known = session.value ?? readSession(stored(kName), now);
  return known?.current !== undefined && goesOn(known, "plan", undefined, now);
}

/** Forgets a session that is over, so that the next visit begins a new one instead of showing its end again. */
export function leaveFinished(): void {
  const known = session.value ?? readSession(stored(kName), Date.now());
  if (known !== undefined && known.current === undefined) forgetSession();
}

export function forgetSession(): void {
  session.value = undefined;
  keepText(kName, "");
}

/** Leaves a card that cannot be asked. */
export function skip(tools: StudyTools): void {
  if (session.value === undefined) return;
  set(tools, skippedCurrent(session.value, Date.now()));
  advance(tools);
}

/** Ends before it is over; an answered card is done with its suggested grade. */
export function end(tools: StudyTools): void {
  if (session.value === undefined) return;
  const now = Date.now();
  const { current: _, ...rest } = finished(session.value, now);
  set(tools, { ...rest, seenAt: now, ended: true });
}
