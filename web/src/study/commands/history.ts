/** Earlier lines by the arrow keys, as a shell has them. A place is counted from the end; 0 is the line that is being typed. */
interface Place {
  place: number;
  typed: string;
}

export function stepBack(lines: readonly string[], place: number, now: string): Place {
  const next = Math.min(place + 1, lines.length);
  return { place: next, typed: next === 0 ? now : (lines.at(-next) ?? now) };
}

export function stepForth(lines: readonly string[], place: number, now: string): Place {
  if (place === 0) return { place, typed: now };
  const next = place - 1;
  return { place: next, typed: next === 0 ? "" : (lines.at(-next) ?? "") };
}
