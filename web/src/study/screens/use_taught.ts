/** The table of where each question is taught, loaded when a screen first needs it. Without it there are no links to lessons. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadTaught, type TaughtPack } from "../taught.ts";

const taught = signal<TaughtPack | undefined>(undefined);

/** Undefined until it is there. */
export function useTaught(isWanted = true): TaughtPack | undefined {
  useEffect(() => {
    if (!isWanted || taught.peek() !== undefined) return;
    loadTaught().then(
      (pack) => {
        taught.value = pack;
      },
      // The next question asks for it again.
      () => undefined,
    );
  }, [isWanted]);
  return taught.value;
}
