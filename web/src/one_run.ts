import { numberAt } from "./json.ts";

/** Whether a year of the plan costs what renting for its only training run does: the request trains once. */
export function isOneRun(plan: { estimates?: readonly unknown[]; way?: string }): boolean {
  const rent = plan.estimates?.length === 1 ? numberAt(plan, "/estimates/0/run/rent_usd") : undefined;
  const year = numberAt(plan, "/ranked_by_usd_per_year");
  if (plan.way !== "rent-on-demand" || rent === undefined || year === undefined) return false;
  return rent.toPrecision(3) === year.toPrecision(3);
}
