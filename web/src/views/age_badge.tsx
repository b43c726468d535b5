/** Marks a price that is old; nothing next to others. */
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { ageInDays, kOldDays, priceDay } from "./price_age.ts";

export function AgeBadge({ asOf }: { asOf: string }) {
  const days = ageInDays(asOf, priceDay(usePage().state));
  return days > kOldDays ? <span class="badge old">{fill(messages.daysOld, { days })}</span> : null;
}
