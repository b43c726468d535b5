/** Texts of the lessons. */
import { followLanguage } from "../../language.ts";

export const lessonTexts = {
  listNote: "Each lesson takes five to eight minutes and uses the planning engine live. Read them in any order.",
  whole: "About the whole exam",
  progress: "{read} of {count} read, {minutes} minutes left",
  minutes: "{minutes} min",
  read: "Read",
  place: "Lesson {number}",
  objectives: "Objectives",
  sources: "Sources",
  before: "Previous: {title}",
  after: "Next: {title}",
  all: "All lessons",
  around: "Other lessons",
  markRead: "Mark as read",
  markUnread: "Mark as unread",
  marked: "Marked as read.",
  unmarked: "Marked as unread.",
  notKept: "This browser cannot save anything: read marks last for this visit only.",
  unknown: "There is no lesson “{id}”.",
  table: "Table, scrolls sideways",
  terminal: "Terminal, scrolls sideways",
  formula: "Formula, scrolls sideways",
  closing: "One question to finish",
  check: "Check the answer",
  another: "Try again with new numbers",
};

followLanguage("lessonTexts", lessonTexts);
