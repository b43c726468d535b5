/** Whether the window is narrower than a width, as a media query tells it. */
import { useEffect, useState } from "preact/hooks";

export function useIsNarrow(query: string): boolean {
  const [isNarrow, setIsNarrow] = useState(typeof matchMedia === "function" && matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = () => setIsNarrow(list.matches);
    // The window may have changed since the drawing.
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return isNarrow;
}

const kWide = 1000;
const kNarrow = 420;
export const kPhone = "(max-width: 40rem)";

/** How wide a drawing is that is stretched to the place it has: a phone needs a narrow one for its words to be read. */
export function useWidth(): number {
  return useIsNarrow(kPhone) ? kNarrow : kWide;
}
