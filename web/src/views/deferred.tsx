/**
 * Parts of a screen that are drawn after the rest of it, each in a task of its own: taking over the prerendered page, opening a screen
 * and drawing a new answer are then many short tasks with the sentence in the first of them.
 */
import { batch, effect, type Signal, signal } from "@preact/signals";
import { Component, type ComponentChildren, hydrate, options, type VNode } from "preact";
import { afterPaint } from "../after_paint.ts";
import { type Page, PageContext } from "../page.ts";
import type { State } from "../state.ts";

let isTakingOver = false;
/** Whether what the build has drawn later than the rest is still there to be taken over. */
let hasDrawn = false;

/** Takes over what the build has drawn into `root`; parts within `Deferred` keep their elements and are taken over after it. */
export function takeOver(view: VNode, root: Element): void {
  isTakingOver = true;
  hasDrawn = true;
  hydrate(view, root);
  isTakingOver = false;
}

/** What a part sees of an answer, all of one moment. */
const kOfAnswer = ["answer", "answered", "before", "selected", "engine"] as const;
type OfAnswer = Pick<State, (typeof kOfAnswer)[number]>;

/** A page whose answers come after the next paint. */
function pageBehind({ state, controller }: Page): { page: Page; stop: () => void } {
  const own = Object.fromEntries(kOfAnswer.map((key) => [key, signal(state[key].peek())])) as unknown as OfAnswer;
  let isAsked = false;
  let isStopped = false;
  const follow = () => {
    isAsked = false;
    if (isStopped) return;
    batch(() => {
      for (const key of kOfAnswer) (own[key] as Signal<unknown>).value = state[key].peek();
    });
  };
  const end = effect(() => {
    // Each is read, so that a change of any of them comes here.
    const isBehind = kOfAnswer.filter((key) => state[key].value !== own[key].peek()).length > 0;
    if (!isBehind || isAsked) return;
    isAsked = true;
    afterPaint(follow);
  });
  const stop = () => {
    isStopped = true;
    end();
  };
  return { page: { state: { ...state, ...own }, controller }, stop };
}

interface DeferredProps {
  children: ComponentChildren;
  /** Only taken over later: opened with the screen, and answers come at once. */
  prompt?: boolean;
}

/** Its elements stand already, and it waits until it may take them over. */
export class Waits {
  // Preact keeps the elements of a part that waits for something to happen.
  // biome-ignore lint/suspicious/noThenProperty: it is told by this name, and nothing waits for it
  readonly then = () => undefined;
}

/** For the one part of the page that waits for code of its own: true the first time, where the build has drawn it. */
export function keepsDrawn(): boolean {
  const keeps = hasDrawn;
  hasDrawn = false;
  return keeps;
}

const kIsBuild = typeof document === "undefined";

/** The browser lays out what the build has drawn far below only when it comes near, until it is taken over. */
function near(element: Element | null): void {
  element?.classList.remove("far");
}

export class Deferred extends Component<DeferredProps> {
  static override contextType = PageContext;
  #isDue = kIsBuild || (this.props.prompt === true && !isTakingOver);
  #behind: ReturnType<typeof pageBehind> | undefined;

  constructor(props: DeferredProps, page: Page) {
    super(props, page);
    if (props.prompt !== true) this.#behind = pageBehind(page);
    if (!this.#isDue)
      afterPaint(() => {
        this.#isDue = true;
        this.forceUpdate();
      });
  }

  override componentWillUnmount(): void {
    this.#behind?.stop();
  }

  override render({ children }: DeferredProps) {
    if (!this.#isDue && isTakingOver) throw new Waits();
    if (!this.#isDue) return <div class="deferred pending" />;
    const page = this.#behind?.page;
    return (
      <div class={kIsBuild ? "deferred far" : "deferred"} ref={near}>
        {page === undefined ? children : <PageContext.Provider value={page}>{children}</PageContext.Provider>}
      </div>
    );
  }
}

type Thrown = (error: unknown, ...where: unknown[]) => void;
/** Preact's place for what a part throws, by the short name under which it is published. */
const hooks = options as unknown as { __e: Thrown };
const others = hooks.__e;
hooks.__e = (error, ...where) => {
  try {
    others(error, ...where);
  } catch (thrown) {
    if (!(thrown instanceof Waits)) throw thrown;
  }
};
