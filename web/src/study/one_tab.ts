/** What one tab of the browser does at a time. The browser's lock ends with the tab that holds it; where there are no locks, every tab may. */
import { type Signal, signal } from "@preact/signals";

export type Holding = "asking" | "here" | "elsewhere";
export type Locks = Pick<LockManager, "request">;

/** A page that is reloaded may meet its own lock, which is on its way out. */
const kPatienceMs = 600;

const browserLocks = (): Locks | undefined => (typeof navigator === "undefined" ? undefined : navigator.locks);

export class OneTab {
  readonly holding: Signal<Holding>;
  readonly #name: string;
  readonly #onLost: () => void;
  readonly #locks: Locks | undefined;
  /** Ends the lock that is held. */
  #release: (() => void) | undefined;
  #isOver = false;

  /** `onLost` is called when another tab has taken it, before `holding` says so. */
  constructor(name: string, onLost: () => void, locks: Locks | undefined = browserLocks()) {
    this.#name = name;
    this.#onLost = onLost;
    this.#locks = locks;
    this.holding = signal(locks === undefined ? "here" : "asking");
    this.ask();
  }

  /** Holds it if no other tab does. */
  ask(): void {
    if (this.holding.value === "here" || this.#isOver) return;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), kPatienceMs);
    void this.#request({ signal: patience.signal }, () => clearTimeout(timer));
  }

  /** Holds it from now on; the tab that did is told. */
  take(): void {
    if (this.holding.value !== "here" && !this.#isOver) void this.#request({ steal: true }, () => undefined);
  }

  /** For good: others may. */
  release(): void {
    this.#isOver = true;
    this.#release?.();
  }

  async #request(options: LockOptions, onHeld: () => void): Promise<void> {
    let isHeld = false;
    try {
      await this.#locks?.request(this.#name, options, () => {
        onHeld();
        if (this.#isOver || this.holding.value === "here") return undefined;
        isHeld = true;
        this.holding.value = "here";
        return new Promise<void>((resolve) => {
          this.#release = resolve;
        });
      });
    } catch (error) {
      if (this.#isOver) return;
      const isTaken = error instanceof DOMException && error.name === "AbortError";
      if (isHeld) this.#onLost();
      // A browser that refuses locks is one without them.
      if (isHeld || this.holding.value !== "here") this.holding.value = isTaken ? "elsewhere" : "here";
    }
  }
}
