/** A time of the log as people of the page's language write it. */
import { language } from "../../../language.ts";

export const dateText = (time: number) =>
  new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(time);
