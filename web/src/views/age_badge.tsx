/** Marks a price that is old; nothing next to others. */
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { ageInDays, isOld, priceDay } from "./price_age.ts";

export function AgeBadge({ asOf }: { asOf: string | undefined }) {
  const days = ageInDays(asOf, priceDay(usePage().state));
  if (days === undefined || !isOld(days)) return null;
  return (
    <>
      {" "}
      <span class="badge old">{fill(messages.daysOld, { days })}</span>
    </>
  );
}
