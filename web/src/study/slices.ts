/** Long work as a generator that pauses often: all at once, or a little at a time, so that a key pressed meanwhile is not noticed to wait. */

/** Work that gives its result at its end. */
export type Work<Result> = Generator<undefined, Result>;

/** All at once. */
export function finished<Result>(work: Work<Result>): Result {
  for (;;) {
    const { value, done } = work.next();
    if (done === true) return value;
  }
}

/** One go at it, in milliseconds. */
const kSliceMs = 12;

/** In tasks of their own, with room for others between them. What comes back stops it. */
export function inSlices<Result>(work: Work<Result>, onEnd: (result: Result) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const goOn = () => {
    const until = performance.now() + kSliceMs;
    do {
      const { value, done } = work.next();
      if (done === true) {
        onEnd(value);
        return;
      }
    } while (performance.now() < until);
    timer = setTimeout(goOn);
  };
  timer = setTimeout(goOn);
  return () => clearTimeout(timer);
}
