/** Where the keyboard goes on after a step to another screen: at its headline, where what had the focus is gone. */
import { useEffect, useRef } from "preact/hooks";
import { lastHash } from "../../route.ts";

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/**
 * From now on, until the next key or press, a focus that has nowhere to be goes to the headline, also to one that is drawn later or takes the place
 * of another. Nothing that has the focus loses it.
 */
export function followHeadline(): () => void {
  const look = () => {
    if (isLost()) document.getElementById("headline")?.focus();
  };
  const watch = new MutationObserver(look);
  const stop = () => {
    watch.disconnect();
    removeEventListener("keydown", stop, true);
    removeEventListener("pointerdown", stop, true);
  };
  watch.observe(document.body, { childList: true, subtree: true });
  addEventListener("keydown", stop, true);
  addEventListener("pointerdown", stop, true);
  look();
  return stop;
}

/** Follows the address within the study tool, and into it from another screen. A page that is just opened is read from its top. */
export function useHeadlineFocus(path: string): void {
  const before = useRef(lastHash.size === 0 ? path : undefined);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    return followHeadline();
  }, [path]);
}
