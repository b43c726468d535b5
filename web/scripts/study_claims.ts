/** The ledger: every claim of study material with its verdict, and the cards on which exam and physics differ. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Claim, type ExamCard, kClaimFields, kVerdicts, type LedgerPack } from "../src/study/ledger.ts";
import { readCsv } from "./read_csv.ts";

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

export function ledgerPack(data: string): LedgerPack {
  const claims = readCsv(join(data, "claims.csv"), kClaimFields);
  const ids = new Set(claims.map(({ id }) => id));
  for (const { id, verdict } of claims)
    if (!kVerdicts.some((one) => one === verdict)) throw new Error(`${id} has the verdict ${verdict}.`);
  const { cards } = read(join(data, "exam_and_truth.json")) as { cards: ExamCard[] };
  for (const { id, claims: named } of cards) {
    const unknown = named.filter((one) => !ids.has(one));
    if (unknown.length > 0) throw new Error(`The card ${id} names claims that do not exist: ${unknown.join(", ")}.`);
  }
  return { claims: claims as unknown as Claim[], cards };
}
