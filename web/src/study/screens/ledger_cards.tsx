/** One card at a time: recall what an exam expects, grade it, and then see what holds. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../messages.ts";
import type { ExamCard } from "../ledger.ts";
import { placeAfter, placeBefore, placeName } from "../parts.ts";
import { studyAddress } from "./addresses.ts";
import { ledgerTexts } from "./ledger_texts.ts";

/** Whether each card was known; absent while it was not graded. */
type Grades = Readonly<Record<string, boolean>>;

export function LedgerCards({ cards }: { cards: readonly ExamCard[] }) {
  const [place, setPlace] = useState(0);
  const [grades, setGrades] = useState<Grades>({});
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
  const known = Object.values(grades).filter((grade) => grade).length;
  return (
    <section class="stack exam-card" aria-labelledby="exam-card">
      <p class="note">{ledgerTexts.cardsNote}</p>
      <p class="note" role="status">
        {fill(ledgerTexts.cardPlace, { place: placeName(place), count: cards.length })} ·{" "}
        {fill(ledgerTexts.graded, { known, count: Object.keys(grades).length })}
      </p>
      <h2 id="exam-card" ref={heading} tabIndex={-1} lang="en">
        {card.topic} <span class="note">{card.objective}</span>
      </h2>
      <Card
        key={card.id}
        card={card}
        grade={grades[card.id]}
        onGrade={(grade) => setGrades({ ...grades, [card.id]: grade })}
      />
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
  grade: boolean | undefined;
  onGrade: (grade: boolean) => void;
}

function Card({ card: { expected, truth, why, claims }, grade, onGrade }: CardProps) {
  const [asked, setAsked] = useState(grade === undefined);
  if (asked)
    return (
      <div>
        <p>{ledgerTexts.ask}</p>
        <p class="row exam-card-moves">
          <button type="button" onClick={() => setAsked(false)}>
            {ledgerTexts.show}
          </button>
        </p>
      </div>
    );
  return (
    <div class="exam-card-sides">
      <div>
        <h3>{ledgerTexts.expects}</h3>
        <p lang="en">{expected}</p>
        {/* biome-ignore lint/a11y/useSemanticElements: two buttons of one choice, not a form */}
        <p role="group" class="row exam-card-moves" aria-label={ledgerTexts.expects}>
          <button type="button" aria-pressed={grade === true} onClick={() => onGrade(true)}>
            {ledgerTexts.knew}
          </button>{" "}
          <button type="button" aria-pressed={grade === false} onClick={() => onGrade(false)}>
            {ledgerTexts.knewNot}
          </button>
        </p>
      </div>
      {grade === undefined ? null : (
        <div aria-live="polite">
          <h3>{ledgerTexts.truth}</h3>
          <p lang="en">{truth}</p>
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
      )}
    </div>
  );
}
