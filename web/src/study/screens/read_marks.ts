/** Which lessons were read: kept in this browser if it keeps anything, else for this visit. */
import { signal } from "@preact/signals";
import { store, stored } from "../../settings.ts";

const kKey = "lessons read";

function kept(): ReadonlySet<string> {
  try {
    const list: unknown = JSON.parse(stored(kKey) ?? "[]");
    return new Set(Array.isArray(list) ? list.filter((one) => typeof one === "string") : []);
  } catch {
    return new Set();
  }
}

export const readLessons = signal(kept());
/** False once the browser has refused to keep a mark. */
export const keepsMarks = signal(true);

export function setRead(lessons: Iterable<string>): void {
  readLessons.value = new Set(lessons);
  keepsMarks.value = store(kKey, JSON.stringify([...readLessons.value].sort()));
}

export function markRead(id: string, isRead: boolean): void {
  const others = [...readLessons.value].filter((one) => one !== id);
  setRead(isRead ? [...others, id] : others);
}

/** The marks, and what the study tool notes beside the database for the next visit. */
export function forgetMarks(): void {
  setRead([]);
  try {
    for (const key of Object.keys(localStorage))
      if (/^podwright (?:study |lessons read)/.test(key)) localStorage.removeItem(key);
  } catch {
    // A browser that refuses has kept nothing.
  }
}
