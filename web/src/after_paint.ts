/** Work that may wait until what is ready has been painted. Each piece is a task of its own, so that none holds up a tap for long. */

const waiting: (() => void)[] = [];
let idle: (() => void)[] = [];
let isRunning = false;

/** A page in the background paints nothing. */
const kWithoutPaintMs = 100;

function afterNextPaint(work: () => void): void {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    work();
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, kWithoutPaintMs);
}

function runNext(): void {
  const work = waiting.shift();
  if (waiting.length > 0) setTimeout(runNext);
  else isRunning = false;
  work?.();
  if (isRunning) return;
  const settled = idle;
  idle = [];
  for (const one of settled) one();
}

/** Runs `work` after the next paint, once what was asked for before has run. */
export function afterPaint(work: () => void): void {
  waiting.push(work);
  if (isRunning) return;
  isRunning = true;
  afterNextPaint(runNext);
}

/** Settles when nothing waits any more. */
export function whenDrawn(): Promise<void> {
  return isRunning ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve();
}
