/** The decks: how many cards are new, due and known, and the session of each. */
import { fill } from "../../../messages.ts";
import { type Deck, kDecks } from "../../recall.ts";
import { deckCounts, kNewAtOnce } from "../../recall_queue.ts";
import { studyAddress } from "../addresses.ts";
import { leaveFinished } from "../session/running.ts";
import { deckNow } from "../session/terms.ts";
import type { StudyTools } from "../study_data.ts";
import { cardTexts } from "./texts.ts";

export function DeckList({ tools }: { tools: StudyTools }) {
  const now = Date.now();
  const all = deckNow(tools, now);
  return (
    <>
      <h2>{cardTexts.decksTitle}</h2>
      <ul class="deck-list">
        {kDecks.map((deck) => (
          <DeckLine key={deck} deck={deck} counts={deckCounts(all, deck, now)} />
        ))}
      </ul>
      <p class="note">{fill(cardTexts.countsNote, { count: kNewAtOnce })}</p>
    </>
  );
}

function DeckLine({ deck, counts }: { deck: Deck; counts: ReturnType<typeof deckCounts> }) {
  const { fresh, due, known } = counts;
  const rows: readonly [string, number][] = [
    [cardTexts.fresh, fresh],
    [cardTexts.due, due],
    [cardTexts.known, known],
  ];
  return (
    <li>
      <h3>{cardTexts.decks[deck]}</h3>
      <dl class="row deck-counts">
        {rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      {fresh === 0 && due === 0 ? (
        <p class="note">{cardTexts.nothingDue[deck]}</p>
      ) : (
        <a class="button" href={studyAddress("session", deck)} onClick={leaveFinished}>
          {cardTexts.start[deck]}
        </a>
      )}
    </li>
  );
}
