/** Says that nothing is kept beyond this visit, where that is so. */
import { fill } from "../../messages.ts";
import type { StudyStore } from "../store.ts";
import { studyAddress } from "./addresses.ts";
import { studyTexts } from "./texts.ts";

export function KeepingNotice({ store }: { store: StudyStore }) {
  const keeping = store.keeping.value;
  if (keeping.where === "database") return null;
  return (
    <p class="notice" role="status">
      {fill(studyTexts.notKept, { reason: keeping.reason })} <a href={studyAddress("backup")}>{studyTexts.toBackup}</a>
    </p>
  );
}
