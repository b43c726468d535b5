/** The kinds of requests with their schemas, as the program prints them. */
import { fail, printed } from "./places.ts";
import type { KindOf, Schema } from "./types.ts";

/** A row of `podwright schema`. */
export interface Row {
  kind: string;
  type?: string;
  verb: string;
  help: string;
}

export interface Kind extends KindOf {
  rows: Row[];
}

/** Every kind once, in the order of the program. */
export function kinds(): Kind[] {
  const { kinds: rows } = JSON.parse(printed("schema")) as { kinds: Row[] };
  if (rows.length === 0) fail("The program names no kinds of requests.");
  return [...new Set(rows.map(({ kind }) => kind))].map((kind) => ({
    kind,
    rows: rows.filter((row) => row.kind === kind),
    request: JSON.parse(printed("schema", kind)) as Schema,
    answer: answerSchema(kind),
  }));
}

/** Undefined where the answer has no table of fields: the program then ends with status 2. */
function answerSchema(kind: string): Schema | undefined {
  try {
    return JSON.parse(printed("schema", "--answer", kind)) as Schema;
  } catch (error) {
    if ((error as { status?: number }).status === 2) return undefined;
    throw error;
  }
}
