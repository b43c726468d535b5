/** A written question as it is shown: its options in an order of the seed, and what is right among them. Templates are asked of the engine. */
import type { WrittenQuestion } from "./pack.ts";
import type { Option, Question } from "./question.ts";

/** A stream of numbers from 0 to 1 for a seed (mulberry32): it orders options, and nothing more rests on it. */
export function stream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number for a text, so that two questions of one seed are not shuffled alike (FNV-1a). */
export function textSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The places 0 to `count - 1` in an order of the stream. */
export function shuffledPlaces(count: number, next: () => number): number[] {
  const places = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i -= 1) {
    const j = Math.floor(next() * (i + 1));
    [places[i], places[j]] = [places[j] ?? 0, places[i] ?? 0];
  }
  return places;
}

const isSorted = (places: readonly number[]) => places.every((place, i) => place === i);

/** What is shown, in the order in which it was written. */
function writtenOptions({ options, steps, pairs }: WrittenQuestion): Option[] {
  if (options !== undefined) return options.map(({ text, right = false, why }) => ({ text, right, why }));
  if (steps !== undefined) return steps.map(({ text, why }) => ({ text, why }));
  return (pairs ?? []).map(({ right, why }) => ({ text: right, why }));
}

/** What to order or to match never comes as it is right. */
export function shownQuestion(written: WrittenQuestion, objective: string, seed: number): Question {
  const { id, kind, difficulty, prompt, drawing, picture, hidden, pairs, explanation, sources } = written;
  const inOrder = writtenOptions(written);
  const next = stream(seed ^ textSeed(id));
  const isArranged = kind === "order" || kind === "match";
  let from = shuffledPlaces(inOrder.length, next);
  while (isArranged && inOrder.length > 1 && isSorted(from)) from = shuffledPlaces(inOrder.length, next);
  const options = from.flatMap((place) => inOrder[place] ?? []);
  const right = isArranged
    ? inOrder.map((_, place) => from.indexOf(place))
    : options.flatMap((option, place) => (option.right ? [place] : []));
  return {
    id,
    objective,
    kind,
    difficulty,
    prompt,
    ...(drawing === undefined ? {} : { drawing }),
    ...(picture === undefined ? {} : { picture }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(pairs === undefined ? {} : { lefts: pairs.map(({ left }) => left) }),
    options,
    answer: { options: right },
    solution: [{ text: explanation }],
    source: sources.join("; "),
  };
}
