/** A region that scrolls sideways where its content is wider than the page. Only then does the keyboard stop at it, and only then does it say so. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { centre, useSideways } from "./sideways.ts";
import { studyTexts } from "./texts.ts";
import "./scrolling.css";

interface ScrollingProps {
  class: string;
  /** What a screen reader says when it stops here. */
  label: string;
  /** With a line below that says so to who sees it. */
  hint?: boolean;
  /** What of it is in sight from the start, as a selector. */
  first?: string;
  children: ComponentChildren;
}

export function ScrollHint() {
  return (
    <p class="note scroll-hint" aria-hidden="true">
      {studyTexts.scrollHint}
    </p>
  );
}

export function Scrolling({ class: name, label, hint, first, children }: ScrollingProps) {
  const region = useRef<HTMLDivElement>(null);
  const { scrolls, hasMore } = useSideways(region);
  useLayoutEffect(() => {
    const asked = first === undefined ? null : region.current?.querySelector(first);
    if (region.current && asked) centre(region.current, asked);
  }, [first]);
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
