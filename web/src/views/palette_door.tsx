/** The keys of the page, and the door to the commands, which are loaded when it is first opened. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { usePage } from "../page.ts";
import { Failed, lazy } from "./lazy.tsx";

export const paletteIsOpen = signal(false);

const palette = lazy(async () => (await import("../tools/palette.tsx")).PaletteDialog);

export function openPalette(): void {
  paletteIsOpen.value = true;
  palette.load();
}

export function Palette() {
  const { controller } = usePage();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      const step = key === "z" ? (event.shiftKey ? controller.redo : controller.undo) : undefined;
      // A text being typed has an undo of its own.
      const isTyping =
        event.target instanceof HTMLElement && event.target.matches("[type=text], [type=search], textarea");
      const act = key === "k" ? openPalette : isTyping ? undefined : step;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [controller]);
  if (!paletteIsOpen.value) return null;
  if (palette.failed.value) return <Failed again={palette.load} />;
  const Loaded = palette.view.value;
  return Loaded === undefined ? null : <Loaded />;
}
