/** Undo and redo of inputs: a list of past states and a list of undone ones, at most so many. */

const kMost = 200;

export interface Past<State> {
  past: State[];
  future: State[];
}

export function emptyPast<State>(): Past<State> {
  return { past: [], future: [] };
}

/** `state` was left for a new one: it can come back, and what was undone before is gone. */
export function leave<State>({ past }: Past<State>, state: State): Past<State> {
  return { past: [...past, state].slice(-kMost), future: [] };
}

/** The state before `now`, or undefined where there is none. */
export function undo<State>(
  { past, future }: Past<State>,
  now: State,
): { state: State; rest: Past<State> } | undefined {
  const state = past.at(-1);
  return state === undefined ? undefined : { state, rest: { past: past.slice(0, -1), future: [now, ...future] } };
}

/** The state that was undone last, or undefined where there is none. */
export function redo<State>(
  { past, future }: Past<State>,
  now: State,
): { state: State; rest: Past<State> } | undefined {
  const [state, ...rest] = future;
  return state === undefined ? undefined : { state, rest: { past: [...past, now], future: rest } };
}
