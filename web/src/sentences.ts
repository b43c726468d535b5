/** The page in Chinese: its own texts, and what the engine says. */
/** The tables of texts by their files, in Chinese alone (oneLanguage of vite.config.ts). */
export const tables = import.meta.glob<object>("./data/*.json", { query: "?zh", import: "default", eager: true });

export { inChinese } from "./sentences_zh.ts";
