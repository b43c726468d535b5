/** Texts of the result of a practice exam and of the history of exams. */
import { followLanguage } from "../../../language.ts";

export const resultTexts = {
  passed: "{right} of {asked} right: a pass at the assumed mark",
  failed: "{right} of {asked} right: {missing} short of the assumed mark",
  mark: "The assumed mark is {share}, {needed} of {questions}; the real one is {standing}.",
  estimate:
    "Chance of passing the next exam of this kind: {chance}. Expect {low} to {high} of {questions} right (90 % interval).",
  estimateNote:
    "Estimated from the answers in this exam alone; nothing is assumed about you beforehand, and questions count as independent.",
  facts: "Handed in {date}. {used} of {limit} min used. Seed {seed}.",
  factsNoSeed: "Handed in {date}. {used} of {limit} min used.",
  timeWasOver: "Time was up, so the exam was handed in as it was.",
  unknown: "This browser has no exam of this name.",
  stillOpen: "This exam has not been handed in yet.",
  goOn: "Continue it",
  another: "Another exam",
  byDomain: "By domain",
  domain: "Domain",
  weight: "Weight",
  right: "Right",
  rightOf: "{right} of {asked}",
  share: "Share",
  interval: "90 % interval",
  from: "{low} to {high}",
  below: "less than {share}",
  above: "more than {share}",
  domainNote: "A few questions say little: the interval shows where your true share may be (Wilson).",
  curveTitle: "Chance of passing by mastery",
  curveConclusion: "{safe} mastery passes nine times out of ten; {mark} mastery in {atMark} of cases",
  curveNote:
    "Mastery is the share of all possible questions that you get right. Assumed: {questions} questions, each right or wrong independently of the others with that chance, and {needed} needed. The vertical lines are the mark and this exam's share; the band is the share's 90 % interval.",
  curveDescription:
    "Curve of the chance of passing by mastery, rising from {low} at {from} to {high} at {to}. The table has the same numbers.",
  mastery: "Mastery",
  chance: "Chance of passing",
  yourShare: "this exam, {share}",
  markLine: "mark, {share}",
  missedTitle: "What was missed ({count})",
  nothingMissed: "Nothing was missed.",
  missedNote: "Say why for each one, so that you see what to practise: facts, reasoning or reading.",
  missedPlace: "Question {place}",
  notAnswered: "not answered",
  why: "Why question {place} was missed",
  mistakes: { knowledge: "Knowledge", reasoning: "Reasoning", misread: "Misread" },
  mistakeNotes: {
    knowledge: "I did not know it.",
    reasoning: "I knew the facts but reasoned wrongly.",
    misread: "I misread the question.",
  },
  tagged: "{knowledge} knowledge, {reasoning} reasoning, {misread} misread, {open} without a reason",
  solution: "Question, answer and explanation",
  add: "Add {count} missed cards to the reviews",
  added: "All missed cards are in the reviews.",
  addedNow: "{count} cards added to the reviews.",
  takeBack: "Take them back",
  takenBack: "The cards have been removed from the reviews.",
  rightTitle: "What was right ({count})",
  historyTitle: "Your exams",
  historyConclusion: "Exams so far: {count}; {share} right in the last one",
  historyNote: "Share of right answers with its 90 % interval; the dashed line is the assumed mark.",
  historyDescription:
    "Shares of right answers by exam, from {first} in the first to {last} in the last. The table has the same numbers.",
  date: "Date",
};

followLanguage("resultTexts", resultTexts);
