/** Whether single letters and digits are keys of the study screens; some people's tools type them by accident. */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { store, stored } from "../../settings.ts";

const kName = "study keys";

export const singleKeys = signal(stored(kName) !== "off");

export function chooseSingleKeys(on: boolean): void {
  store(kName, on ? "on" : "off");
  singleKeys.value = on;
}

const kTyped = "[type=text], [type=search], [type=number], [type=date], select, textarea";

/** Calls `act` for a key pressed alone; keys that are typed into a field or chosen in a menu are not ours. True where `act` took it. */
export function useKeys(act: (key: string, target: EventTarget | null) => boolean): void {
  const now = useRef(act);
  now.current = act;
  // With the drawing, not after the next paint: a key that follows quickly is not lost, and what is taken away before
  // that paint listens no more.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyped = target instanceof HTMLElement && target.matches(kTyped);
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat);
      const isSingle = event.key.length === 1;
      const isLineEnd = event.key === "Enter" && target instanceof HTMLTextAreaElement;
      if (!isPlain || isLineEnd || (isTyped && isSingle) || (isSingle && !singleKeys.peek())) return;
      if (now.current(event.key, target)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** What Enter does of its own on these is more than a screen's own key. */
export const isPressed = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("button, a, summary, select");
