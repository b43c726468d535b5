/** The way from a question to the screen of the planner that shows its own case. */
import { encodeLink } from "../../../link.ts";
import type { Question } from "../../question.ts";

/** The address of the question's own case; undefined where no screen takes its numbers. */
export async function caseAddress({ planner }: Pick<Question, "planner">): Promise<string | undefined> {
  if (planner === undefined) return undefined;
  const { screen, request } = planner;
  if (request.kind === "catalog") return `#/${screen}/${request.show}/${request.id}`;
  // The request stands whole in the link, so that the screen's example need not be known here.
  return encodeLink(null, { request, plan: 0 }, `/${screen}`);
}
