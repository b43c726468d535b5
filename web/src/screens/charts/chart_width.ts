/** How wide a drawing is that is stretched to the place it has: a phone needs a narrow one for its words to be read. */
import { useEffect, useState } from "preact/hooks";

const kWide = 1000;
const kNarrow = 420;
const kPhone = "(max-width: 40rem)";

export function useWidth(): number {
  const [isPhone, setIsPhone] = useState(matchMedia(kPhone).matches);
  useEffect(() => {
    const query = matchMedia(kPhone);
    const look = () => setIsPhone(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return isPhone ? kNarrow : kWide;
}
