/** What scrolls sideways: whether there is more beyond its edge, and one thing of it brought in sight. */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

interface Sideways {
  scrolls: boolean;
  /** Something is beyond the edge where the text ends. */
  hasMore: boolean;
}

/** How an element stands; it is looked at anew when its size, its place or `shown` changes. */
export function useSideways(region: RefObject<HTMLElement | null>, shown?: unknown): Sideways {
  const [state, setState] = useState<Sideways>({ scrolls: false, hasMore: false });
  // Before it is painted: until then the keyboard could not reach what scrolls.
  useLayoutEffect(() => {
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
    // What is inside may grow while the element stays as wide: a drawing is laid out anew on a phone.
    for (const one of element.children) watcher.observe(one);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      watcher.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [shown]);
  return state;
}

/** Scrolls a region so that something in it, be it of a drawing, is in its middle. */
export function centre(region: HTMLElement, one: Element): void {
  const [outer, inner] = [region.getBoundingClientRect(), one.getBoundingClientRect()];
  region.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
}

/** Scrolls the row alone, not the page. */
export function bringInSight(row: HTMLElement, one: HTMLElement): void {
  row.scrollLeft = one.offsetLeft - (row.clientWidth - one.offsetWidth) / 2;
}
