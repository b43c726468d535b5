/** How wide a drawing is that is stretched to the place it has: a phone needs a narrow one for its words to be read. */
import { useIsNarrow } from "../narrow.ts";

const kWide = 1000;
const kNarrow = 420;
export const kPhone = "(max-width: 40rem)";

export function useWidth(): number {
  return useIsNarrow(kPhone) ? kNarrow : kWide;
}
