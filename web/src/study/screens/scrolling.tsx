/** A region that scrolls sideways where its content is wider than the page. Only then does the keyboard stop at it, and only then does it say so. */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { studyTexts } from "./texts.ts";
import "./scrolling.css";

interface ScrollingProps {
  class: string;
  /** What a screen reader says when it stops here. */
  label: string;
  /** With a line below that says so to who sees it. */
  hint?: boolean;
  children: ComponentChildren;
}

interface Sideways {
  scrolls: boolean;
  /** Something is beyond the edge where the text ends. */
  hasMore: boolean;
}

/** How an element stands; it is looked at anew when its size, its place or `shown` changes. */
export function useSideways(region: RefObject<HTMLElement | null>, shown?: unknown): Sideways {
  const [state, setState] = useState<Sideways>({ scrolls: false, hasMore: false });
  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    const look = () => {
      const { scrollWidth, clientWidth, scrollLeft } = element;
      const scrolls = scrollWidth > clientWidth;
      const hasMore = scrollLeft + clientWidth < scrollWidth - 1;
      setState((before) => (before.scrolls === scrolls && before.hasMore === hasMore ? before : { scrolls, hasMore }));
    };
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      watcher.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [shown]);
  return state;
}

export function ScrollHint() {
  return (
    <p class="note scroll-hint" aria-hidden="true">
      {studyTexts.scrollHint}
    </p>
  );
}

export function Scrolling({ class: name, label, hint, children }: ScrollingProps) {
  const region = useRef<HTMLDivElement>(null);
  const { scrolls, hasMore } = useSideways(region);
  const focusable = scrolls ? { tabIndex: 0, role: "group" as const, "aria-label": label } : {};
  return (
    <>
      <div ref={region} class={hasMore ? `${name} has-more` : name} {...focusable}>
        {children}
      </div>
      {hint && scrolls ? <ScrollHint /> : null}
    </>
  );
}
