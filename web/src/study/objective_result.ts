/** What an exam says by objective: too few questions of each for a share, so right and asked alone. */
import type { Blueprint } from "./blueprint.ts";
import type { Marked } from "./exam_result.ts";

export interface ObjectiveResult {
  objective: string;
  text: string;
  right: number;
  asked: number;
}

/** Every objective of the blueprint in its order, also those that were not asked. */
export function resultByObjective({ objectives }: Blueprint, marked: readonly Marked[]): ObjectiveResult[] {
  return objectives.map(({ id, text }) => {
    const own = marked.filter(({ objective }) => objective === id);
    return { objective: id, text, right: own.filter(({ right }) => right).length, asked: own.length };
  });
}

export const wrongOf = ({ right, asked }: Pick<ObjectiveResult, "right" | "asked">) => asked - right;
