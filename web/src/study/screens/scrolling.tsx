/** A region that scrolls sideways where its content is wider than the page. Only then does the keyboard stop at it. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import "./scrolling.css";

interface ScrollingProps {
  class: string;
  /** What a screen reader says when it stops here. */
  label: string;
  children: ComponentChildren;
}

export function Scrolling({ class: name, label, children }: ScrollingProps) {
  const region = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    const look = () => setScrolls(element.scrollWidth > element.clientWidth);
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    look();
    return () => watcher.disconnect();
  }, []);
  const focusable = scrolls ? { tabIndex: 0, role: "group" as const, "aria-label": label } : {};
  return (
    <div ref={region} class={name} {...focusable}>
      {children}
    </div>
  );
}
