/** The screens of the study tool and where each stands in the address. */

/** Screens of the study tool in the order of its navigation; "" is its home. */
export const kStudyScreens = [
  "",
  "session",
  "exam",
  "quiz",
  "lessons",
  "labs",
  "commands",
  "cards",
  "ledger",
  "formulas",
  "glossary",
  "selector",
  "backup",
] as const;
/** Screens that the navigation leaves out. */
const kBeside = ["coverage"] as const;
export type StudyScreen = (typeof kStudyScreens)[number] | (typeof kBeside)[number];

/** Words of the address after the screen: `#/study/lessons/kv-cache` has `["kv-cache"]`. */
export interface StudyScreenProps {
  rest: readonly string[];
}
export const studyAddress = (screen: StudyScreen, ...rest: string[]) =>
  `#/${["study", ...(screen === "" ? [] : [screen]), ...rest].join("/")}`;

/** The screen of the address; the home where it names none. */
export function studyScreen(rest: readonly string[]): StudyScreen {
  return [...kStudyScreens, ...kBeside].find((screen) => screen === rest[0]) ?? "";
}
