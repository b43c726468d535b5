/** One card at a time: what some notes say, and then what holds. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../messages.ts";
import type { ExamCard, LedgerPack } from "../ledger.ts";
import { placeAfter, placeBefore, placeName } from "../parts.ts";
import { studyAddress } from "./addresses.ts";
import { ledgerTexts } from "./ledger_texts.ts";
import { QuestionSources } from "./question/sources.tsx";

export function LedgerCards({ pack: { cards, sources } }: { pack: LedgerPack }) {
  const [place, setPlace] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current) heading.current?.focus();
  }, [place]);
  const card = cards[place];
  if (card === undefined) return null;
  const go = (to: number) => {
    moved.current = true;
    setPlace(to);
  };
  const isLast = placeAfter(place, cards.length) === 0;
  return (
    <section class="stack exam-card" aria-labelledby="exam-card">
      <p class="note">{ledgerTexts.cardsNote}</p>
      <p class="note" role="status">
        {fill(ledgerTexts.cardPlace, { place: placeName(place), count: cards.length })}
      </p>
      <h2 id="exam-card" ref={heading} tabIndex={-1} lang="en">
        {card.topic} <span class="note">{card.objective}</span>
      </h2>
      <Card key={card.id} card={card} sources={sources} />
      <p class="row exam-card-moves">
        <button type="button" disabled={place === 0} onClick={() => go(placeBefore(place))}>
          {ledgerTexts.before}
        </button>{" "}
        <button type="button" onClick={() => go(placeAfter(place, cards.length))}>
          {isLast ? ledgerTexts.again : ledgerTexts.next}
        </button>
      </p>
    </section>
  );
}

interface CardProps {
  card: ExamCard;
  sources: LedgerPack["sources"];
}

function Card({ card, sources }: CardProps) {
  const { notes_say, truth, why, claims } = card;
  const [isShown, setShown] = useState(false);
  return (
    <div class="exam-card-sides">
      <div>
        <h3>{ledgerTexts.notesSay}</h3>
        <p lang="en">{notes_say}</p>
      </div>
      {isShown ? (
        <div aria-live="polite">
          <h3>{ledgerTexts.truth}</h3>
          <p lang="en">{truth}</p>
          <p class="source" lang="en">
            <QuestionSources text={card.sources.join("; ")} sources={sources} />
          </p>
          <h3>{ledgerTexts.why}</h3>
          <p lang="en">{why}</p>
          <h3>{ledgerTexts.behind}</h3>
          <ul class="row chips">
            {claims.map((id) => (
              <li key={id}>
                <a href={`${studyAddress("ledger")}?text=${id}`}>{id}</a>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <div>
          <p>{ledgerTexts.ask}</p>
          <p class="row exam-card-moves">
            <button type="button" onClick={() => setShown(true)}>
              {ledgerTexts.show}
            </button>
          </p>
        </div>
      )}
    </div>
  );
}
