/** A practice exam: its questions, and every answer as it was given. Kept answer by answer, so that a reload goes on where it stopped. */
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { ClockState } from "./exam_clock.ts";
import { isTime, type Mistake } from "./log.ts";
import type { ExamForm } from "./pack.ts";

export interface ExamRecord {
  id: string;
  /** The exam of the blueprint. */
  exam: string;
  /** What it was drawn from; the same seed asks the same while the questions of the site do not change. */
  seed?: number;
  form?: ExamForm;
  /** Of a numbered practice exam, which is the same for everyone. */
  number?: number;
  /** A quiz: the choices that it was made from, as its address has them. */
  quiz?: string;
  /** Whole, because a newer version of the site may ask differently from the same seed. */
  questions: readonly JsonObject[];
  clock: ClockState;
  /** Once it is handed in. */
  submittedAt?: number;
}

/** What was done at one question of an exam. */
export interface ExamAnswer {
  exam: string;
  /** Place of the question, from 0. */
  place: number;
  /** Null until one is given. */
  answer: Json;
  confidence?: number;
  flagged: boolean;
  /** Options that were struck out. */
  struck: readonly number[];
  /** Time spent at it. */
  seconds: number;
  /** When it was last changed. */
  time: number;
  mistake?: Mistake;
}

export const isExamRecord = (value: unknown): value is ExamRecord =>
  isObject(value) &&
  typeof value.id === "string" &&
  typeof value.exam === "string" &&
  Array.isArray(value.questions) &&
  value.questions.every(isObject) &&
  isObject(value.clock) &&
  ["limitSeconds", "pausedMs"].every((key) => typeof (value.clock as JsonObject)[key] === "number") &&
  isTime(value.clock.startedAt) &&
  isTime(value.clock.seenAt) &&
  (value.submittedAt === undefined || isTime(value.submittedAt)) &&
  Array.isArray(value.clock.announced);

export const isExamAnswer = (value: unknown): value is ExamAnswer =>
  isObject(value) &&
  typeof value.exam === "string" &&
  Number.isInteger(value.place) &&
  value.answer !== undefined &&
  typeof value.flagged === "boolean" &&
  Array.isArray(value.struck) &&
  typeof value.seconds === "number" &&
  isTime(value.time);
