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

export function markRead(id: string, isRead: boolean): void {
  const next = new Set(readLessons.value);
  if (isRead) next.add(id);
  else next.delete(id);
  readLessons.value = next;
  keepsMarks.value = store(kKey, JSON.stringify([...next].sort()));
}
