/** Where the page speaks another language than English: whether a text was translated, and by whom. */
import { language } from "../../language.ts";
import { languageOf } from "../translations.ts";
import { studyTexts } from "./texts.ts";

export function TranslationNote({ text }: { text: string }) {
  if (language.value === "en") return null;
  const isTranslated = languageOf(text) !== "en";
  return (
    <p class="note" lang={language.value}>
      {isTranslated ? studyTexts.translated : studyTexts.notTranslated}
    </p>
  );
}
