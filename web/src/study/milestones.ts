/** What a learner has reached on the way to the exam, as a list to tick off. */
export const kMilestones = [
  "date",
  "placement",
  "forecast",
  "objectives",
  "lessons",
  "mocks",
  "mark",
  "ready",
] as const;

export interface Milestone {
  id: (typeof kMilestones)[number];
  isDone: boolean;
  have: number;
  need: number;
}

export interface Reached {
  hasDate: boolean;
  /** Answers of any kind, and first answers of the exam's kind. */
  answers: number;
  examAnswers: number;
  objectivesSeen: number;
  objectives: number;
  lessonsRead: number;
  lessons: number;
  mocksTaken: number;
  mocks: number;
  /** Most right answers in a whole exam. */
  bestExam: number;
  /** Right answers that the assumed mark asks for. */
  needed: number;
  /** Undefined while nothing is foretold. */
  chance?: number;
}

/** The chance with which one may take the exam. */
export const kReadyChance = 0.9;

export function milestonesOf(reached: Reached, placementQuestions: number, forecastAnswers: number): Milestone[] {
  const of = (id: Milestone["id"], have: number, need: number): Milestone => ({
    id,
    isDone: have >= need && need > 0,
    have: Math.min(have, need),
    need,
  });
  return [
    of("date", Number(reached.hasDate), 1),
    of("placement", reached.answers, placementQuestions),
    of("forecast", reached.examAnswers, forecastAnswers),
    of("objectives", reached.objectivesSeen, reached.objectives),
    of("lessons", reached.lessonsRead, reached.lessons),
    of("mocks", reached.mocksTaken, reached.mocks),
    of("mark", reached.bestExam, reached.needed),
    of("ready", Math.round(100 * (reached.chance ?? 0)), Math.round(100 * kReadyChance)),
  ];
}
