/** What the engine is asked for a practice exam. */
import type { JsonObject } from "../../json.ts";
import type { ExamForm, QuestionPack } from "../pack.ts";
import { loadWritten } from "./in_language.ts";

/** The request of the exam of a seed; questions that were seen come where nothing else is left. */
export async function examRequest(
  { blueprint, written }: QuestionPack,
  { seed, form, seen }: { seed: number; form: ExamForm; seen: readonly string[] },
): Promise<JsonObject> {
  const files = Object.entries(written).flatMap(([objective, cards]) => cards.map(({ file }) => file ?? objective));
  const packs = await Promise.all([...new Set(files)].map(loadWritten));
  const byObjective = Object.fromEntries(packs.map((pack) => [pack.objective, pack]));
  return {
    kind: "exam",
    exam: blueprint.exam.id,
    seed,
    form,
    seen: seen.join(" "),
    written: byObjective as unknown as JsonObject,
  };
}
