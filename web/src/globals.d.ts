/** First characters of digests, which name folders: of the engine that this build ships, */
declare const __ENGINE_DIGEST__: string;
/** of what the screens that ask begin with, */
declare const __SCREENS_DIGEST__: string;
/** and of the study files. */
declare const __STUDY_DIGEST__: string;
/** What the study tool's content is. */
declare const __STUDY_EXAMS__: readonly [
  import("./study/pack.ts").StudyAbout,
  ...import("./study/pack.ts").StudyAbout[],
];
declare module "*.csv?raw" {
  const text: string;
  export default text;
}
declare module "*.json?en" {
  const texts: Record<string, string>;
  export default texts;
}
