/** What the page's first lines have begun before any script of it was read (`scripts/preload.js`). */

interface Preloaded {
  /** The page's only policy of scripts' addresses, where the browser has trusted types. */
  policy?: { createScriptURL(address: string): string };
  worker?: Worker;
  /** Why that worker failed, if it did. */
  failed?: string;
  /** The page's scripts came and began. */
  hasBegun?: boolean;
  /** The screen that the address asked for, and what its form is made of. */
  screen?: string;
  requests?: Promise<Response>;
}

/** Empty where nothing was begun, as in tests. */
export const preloaded: Preloaded = (globalThis as { podwrightPreloaded?: Preloaded }).podwrightPreloaded ?? {};
