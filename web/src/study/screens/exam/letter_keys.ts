/** Whether single letters are keys: some people press them by accident, or speak them (WCAG 2.1.4). Kept in this browser. */
import { signal } from "@preact/signals";
import { store, stored } from "../../../settings.ts";

const kKey = "letter keys";
export const letterKeys = signal(stored(kKey) !== "off");

export function turnLetterKeys(on: boolean): void {
  letterKeys.value = on;
  store(kKey, on ? "on" : "off");
}

/** A letter that would do something without another key held. */
export const isLetterKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  /^[a-z]$/i.test(key) && !ctrlKey && !metaKey && !altKey;
