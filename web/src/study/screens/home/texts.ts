/** Texts of the study home. */
import { followLanguage } from "../../../language.ts";

export const studyHomeTexts = {
  englishOnly: "Questions, lessons and statements are in English.",
  readyNow: "Readiness today: {share}",
  daysLeft: "The exam is {when}, on {date}.",
  noDate: "No exam date is set: cards come back when recall falls to {share}.",
  dateOver: "The exam date has passed.",
  start: "{minutes} minutes now",
  goOn: "Continue the session",
  dueNow: "Cards due: {count}.",

  emptyTitle: "Where do you stand?",
  empty:
    "Ten questions across all domains show your weak spots, and the plan starts there. It takes a few minutes, needs no login, and nothing leaves this machine.",
  placement: "Take the ten questions",
  skipPlacement: "Skip: {minutes} minutes now",

  planTitle: "Exam and time",
  examNote: "{questions} questions in {minutes} minutes.",
  date: "Exam date",
  dateNote: "Reviews are planned towards this date. Without one, every card is kept at {share} recall.",
  datePast: "This date has passed. Choose a future date.",
  clearDate: "No date",
  minutes: "Minutes per day",
  minutesFault: "Enter whole minutes from 5 to 240.",
  accept: "Use this plan",
  accepted: "Plan saved.",
  inUse: "This plan is in use.",
  forecastTitle: "Daily workload",
  forecastPlan:
    "About {minutes} minutes a day, {most} at most, with {reviews} reviews and {newCards} new cards in total. If you keep to it, weighted recall on the exam day is about {recall}.",
  forecastSoon: "Working out the daily plan",
  forecastDue: "Cards due over the next days, without new ones.",
  forecastChart: "Minutes of study on each of {days} days",
  forecastNote: "Computed from your own pace with average answers; your answers change it.",
  day: "Day",
  reviews: "Reviews",
  newCards: "New cards",
  minutesColumn: "Minutes",
  dueCards: "Cards due",
  today: "today",

  readyTitle: "Readiness by domain",
  readyNote:
    "Estimated recall of the cards in a domain today; cards never seen count as not known. Aim for {aim}: that leaves a margin above the assumed pass mark.",
  readyDomain: "{share} today",
  readyLater: "{share} on the exam day if you learn nothing more",
  weight: "{weight} of the exam",
  seen: "{seen} of {cards} cards seen",
  practise: "Practise",
  practiseWhich: "Practise {name}",
  readyTotal: "All domains, weighted",
  objectivesTitle: "By objective",
  objective: "Objective",
  recall: "Recall",
  seenColumn: "Seen",

  abilityTitle: "Ability by domain",
  domain: "Domain",
  ability: "Ability",
  abilityInterval: "90 % interval",
  notAsked: "not asked yet",
  abilityNote:
    "Chance of answering a question of medium difficulty correctly, from all answers with a Rasch model. The difficulty of a question starts as an assumption and is not learned from other people.",

  sureTitles: {
    over: "You are overconfident: {stated} stated, {right} right",
    under: "You are underconfident: {stated} stated, {right} right",
    fair: "Your confidence is well judged: {stated} stated, {right} right",
  },
  sureNote:
    "Brier score {brier} over {count} answers: 0 is perfect, always saying 50 % gives 0.25. Points on the line are right as often as stated; bars are 90 % intervals.",
  sureTitle: "Confidence",
  sureEmpty:
    "State how sure you are before seeing a solution, and a chart here will show how well you judge your own knowledge.",
  sureChart: "Share right by stated confidence",
  stated: "Stated",
  shareRight: "Right",
  answers: "Answers",
  interval: "90 % interval",

  trapsTitle: "Mistakes you make",
  trapsNote: "Wrong options of computed questions come from known mistakes. You chose these.",
  trapsEmpty: "No known mistake has been made so far.",
  trapTimes: "{times} times",
  trapOnce: "once",
  trapDone: "answered correctly since",
  practiseThese: "Practise these",
  practiseAll: "Practise all open ones",

  passTitle: "Chance of passing",
  passSentence: "Currently {chance}: {expected} of {questions} right expected, between {low} and {high}.",
  passAssumes:
    "Assumes a pass mark of {mark} ({needed} of {questions} right), which is {standing}; questions like these, answered independently. Based on your {answers} latest first answers to questions.",
  below: "less than 1 %",
  above: "more than 99 %",
  passFew: "After {count} answered questions this shows how likely you are to pass.",

  backupHint: "Your log is only in this browser. A backup file survives clearing its data.",
  backupMake: "Make a backup",
  backupLater: "Remind me in a week",
};

followLanguage("studyHomeTexts", studyHomeTexts);
