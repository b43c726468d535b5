/** What a field of a request is called, the same in every form, complaint and list. */
import { labelOf, labels } from "../messages.ts";
import { formTexts } from "./form_texts.ts";
import { fieldLabels } from "./texts.ts";

export function fieldLabel(key: string): string {
  const first: Record<string, string> = formTexts.fields;
  const table = [first, fieldLabels].find((one) => Object.hasOwn(one, key));
  return table?.[key] ?? labelOf(key);
}

/** As above; of fields with the same key, each by where it is. */
export function fieldLabelAt(pointer: string): string {
  const [parent = "", key = ""] = pointer.split("/").slice(-2);
  return fieldLabels[`${parent}/${key}`] ?? fieldLabel(key);
}

/** Whether a word is the key of something that has a label of its own; other words are values. */
export function hasLabel(key: string): boolean {
  return [formTexts.fields, fieldLabels, labels].some((table) => Object.hasOwn(table, key));
}
