/** New cards in the order in which their objectives have most to gain. */
import type { PlannedCard } from "./exam_plan.ts";

const countBy = (cards: readonly PlannedCard[]) => {
  const counts = new Map<string, number>();
  for (const { objective } of cards) counts.set(objective, (counts.get(objective) ?? 0) + 1);
  return counts;
};

/**
 * New cards in turns over objectives: those met so far and those to come stand in proportion to what each objective has to gain (largest quotient
 * first, as seats are given by d'Hondt), so that stopping anywhere leaves a fair share.
 */
export function byNeed(
  planned: readonly PlannedCard[],
  need: ReadonlyMap<string, number>,
  count: number,
): PlannedCard[] {
  const met = countBy(planned.filter(({ memory }) => memory !== undefined));
  const waiting = new Map<string, PlannedCard[]>();
  for (const card of planned) {
    if (card.memory === undefined) waiting.set(card.objective, [...(waiting.get(card.objective) ?? []), card]);
  }
  const quotient = (objective: string) => (need.get(objective) ?? 0) / (1 + (met.get(objective) ?? 0));
  const order: PlannedCard[] = [];
  while (waiting.size > 0 && order.length < count) {
    const [first = ""] = [...waiting.keys()].sort((a, b) => quotient(b) - quotient(a) || (a < b ? -1 : 1));
    const [card, ...rest] = waiting.get(first) ?? [];
    if (card !== undefined) order.push(card);
    met.set(first, (met.get(first) ?? 0) + 1);
    if (rest.length === 0) waiting.delete(first);
    else waiting.set(first, rest);
  }
  return order;
}
