/** The verbs of the command line. */

const kOtherVerbs: Record<string, string> = { serving: "estimate", training: "estimate", fabric: "architecture" };

/** The verb for a kind of request, which mostly is called as the kind is. */
export function verbOf(kind: string): string {
  return kOtherVerbs[kind] ?? kind;
}
