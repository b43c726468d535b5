/** Every sentence and label of the other screens. */
import catalogTable from "../data/catalog_names.json";
import exampleTable from "../data/example_names.json";
import fieldTable from "../data/field_labels.json";
import screenTable from "../data/screen_notes.json";
import sectionTable from "../data/section_titles.json";
import table from "../data/texts.json";
import wordTable from "../data/word_names.json";
import { followLanguage } from "../language.ts";
import type { Screen } from "../route.ts";
import { wordNames } from "../views/names.ts";

export const texts = followLanguage("texts", table);

/** What a screen is for, in a sentence. */
export const screenNotes: Record<Screen, string> = followLanguage("screen_notes", screenTable);

/** Examples by the names of their files. */
export const exampleNames: Record<string, string> = followLanguage("example_names", exampleTable);

/** Lists of the catalog. */
export const catalogNames: Record<string, string> = followLanguage("catalog_names", catalogTable);

/** Titles of parts of answers whose key alone does not make a good title. */
export const sectionTitles: Record<string, string> = followLanguage("section_titles", sectionTable);

/** Labels of form fields whose key alone does not make a good label. */
export const fieldLabels: Record<string, string> = followLanguage("field_labels", fieldTable);

/** Words of requests and answers that people write differently; names of products are the same in every language. */
followLanguage("word_names", wordTable, wordNames);
