/** The ledger: a table of every checked statement, and the cards on which exam and truth differ. */
import { fill } from "../../messages.ts";
import type { LedgerPack } from "../ledger.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { LedgerCards } from "./ledger_cards.tsx";
import { LedgerTable } from "./ledger_table.tsx";
import { ledgerTexts } from "./ledger_texts.ts";
import { StudyCard } from "./opening.tsx";
import { StudyFile } from "./study_file.tsx";
import { studyTexts } from "./texts.ts";
import "./ledger.css";

export function Ledger({ rest }: StudyScreenProps) {
  const inCards = rest[0] === "cards";
  return (
    <StudyCard kind="card ledger" title={studyTexts.screens.ledger}>
      <p class="note">{ledgerTexts.note}</p>
      <StudyFile<LedgerPack> file="claims.json">
        {(pack) => (
          <>
            <nav aria-label={ledgerTexts.views}>
              <ul class="row lists">
                <li>
                  <a href={studyAddress("ledger")} aria-current={inCards ? undefined : "page"}>
                    {ledgerTexts.table}
                  </a>
                </li>
                <li>
                  <a href={studyAddress("ledger", "cards")} aria-current={inCards ? "page" : undefined}>
                    {fill(ledgerTexts.cards, { count: pack.cards.length })}
                  </a>
                </li>
              </ul>
            </nav>
            {inCards ? <LedgerCards pack={pack} /> : <LedgerTable pack={pack} />}
          </>
        )}
      </StudyFile>
    </StudyCard>
  );
}
