/** Texts of the study home. */
import { followLanguage } from "../../../language.ts";

export const studyHomeTexts = {
  englishOnly: "Questions, lessons and statements are in English.",
  readyNow: "Readiness today: {share}",
  daysLeft: "The exam is {when}, on {date}.",
  noDate: "No exam date is set: cards come back when recall falls to {share}.",
  dateOver: "The date of the exam has passed.",
  start: "{minutes} minutes now",
  goOn: "Go on with the session",
  dueNow: "Cards due: {count}.",

  emptyTitle: "Where do you stand?",
  empty:
    "Ten questions over all domains show what is weak, and the plan begins there. It takes a few minutes, needs no login, and nothing leaves this machine.",
  placement: "Take the ten questions",
  skipPlacement: "Skip: {minutes} minutes now",

  planTitle: "Exam and time",
  examNote: "{questions} questions in {minutes} minutes.",
  date: "Date of the exam",
  dateNote: "Reviews are planned towards it. Without one, every card is kept at {share} recall.",
  datePast: "This date has passed. Choose one that is still to come.",
  clearDate: "No date",
  minutes: "Minutes per day",
  minutesFault: "Write whole minutes from 5 to 240.",
  accept: "Use this plan",
  accepted: "Plan kept.",
  inUse: "This plan is in use.",
  forecastTitle: "What a day takes",
  forecastPlan:
    "About {minutes} minutes a day, {most} at most, with {reviews} reviews and all together {newCards} new cards. Kept to the end, weighted recall on the day is about {recall}.",
  forecastSoon: "Working out the days",
  forecastDue: "Cards due on the next days, new ones apart.",
  forecastChart: "Minutes of study on each of {days} days",
  forecastNote: "Computed with average answers from your own pace; what you answer changes it.",
  day: "Day",
  reviews: "Reviews",
  newCards: "New cards",
  minutesColumn: "Minutes",
  dueCards: "Cards due",
  today: "today",

  readyTitle: "Readiness by domain",
  readyNote:
    "Estimated recall of the cards of a domain today; cards never seen count as not known. Aim at {aim}: that leaves room above the assumed pass mark.",
  readyDomain: "{share} today",
  readyLater: "{share} on the day if nothing more is learned",
  weight: "{weight} of the exam",
  seen: "{seen} of {cards} cards seen",
  practise: "Practise",
  practiseWhich: "Practise {name}",
  readyTotal: "All domains by weight",
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
    "Chance to be right at a question of medium difficulty, from all answers by a Rasch model. How hard a question is begins as an assumption and is not learned from other people.",

  sureTitles: {
    over: "You are surer than you are right: {stated} stated, {right} right",
    under: "You know more than you think: {stated} stated, {right} right",
    fair: "You know what you know: {stated} stated, {right} right",
  },
  sureNote:
    "Brier score {brier} over {count} answers: 0 is perfect, always saying 50 % gives 0.25. Points on the line are as right as they were said to be; bars are 90 % intervals.",
  sureTitle: "Confidence",
  sureEmpty:
    "Say how sure you are before a solution shows, and this becomes a picture of how well you know what you know.",
  sureChart: "Share right by stated confidence",
  stated: "Stated",
  shareRight: "Right",
  answers: "Answers",
  interval: "90 % interval",

  trapsTitle: "Mistakes you make",
  trapsNote: "Wrong options of computed questions come from known mistakes. These were chosen.",
  trapsEmpty: "No known mistake has been made so far.",
  trapTimes: "{times} times",
  trapOnce: "once",
  trapDone: "answered rightly since",
  practiseThese: "Practise these",
  practiseAll: "Practise all that are open",

  passTitle: "Chance to pass",
  passSentence: "{chance} as things stand: {expected} of {questions} right expected, between {low} and {high}.",
  passAssumes:
    "Assumes a pass mark of {mark} ({needed} of {questions} right), which is {standing}; questions like these, answered independently. From your {answers} latest first answers at questions.",
  below: "less than 1 %",
  above: "more than 99 %",
  passFew: "After {count} answered questions this says how likely you are to pass.",

  backupHint: "Your log is in this browser alone. A file is safe from cleared data.",
  backupMake: "Make a backup",
  backupLater: "Remind me in a week",
};

followLanguage("studyHomeTexts", studyHomeTexts);
