/** The door to the commands: a key and a button. The commands themselves are loaded when it is first opened. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Failed, part } from "./late.tsx";

export const paletteIsOpen = signal(false);

const palette = part(async () => (await import("../tools/palette.tsx")).PaletteDialog);

export function openPalette(): void {
  paletteIsOpen.value = true;
  palette.load();
}

export function Palette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openPalette();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (!paletteIsOpen.value) return null;
  if (palette.failed.value) return <Failed again={palette.load} />;
  const Loaded = palette.view.value;
  return Loaded === undefined ? null : <Loaded />;
}
