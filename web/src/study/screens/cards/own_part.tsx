/** Own cards: one is made or changed in a form, deleted at once, and brought back as easily. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import {
  changedOwnCard,
  deletedOwnCard,
  kOwnLimits,
  newOwnCard,
  type OwnCard,
  type OwnFault,
  type OwnText,
  ownCards,
  ownFaults,
  tidied,
} from "../../own_cards.ts";
import type { StudyTools } from "../study_data.ts";
import { cardTexts } from "./texts.ts";

/** Cards in the list before it is asked for whole. */
const kShown = 30;

export function OwnPart({ tools: { store, pack } }: { tools: StudyTools }) {
  const [changing, setChanging] = useState<OwnCard>();
  const [gone, setGone] = useState<OwnCard>();
  const [said, setSaid] = useState("");
  const undo = useRef<HTMLButtonElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const cards = ownCards(store.data().own);
  // The button that was pressed went with its card.
  useEffect(() => {
    if (gone !== undefined) undo.current?.focus();
  }, [gone]);
  const save = (text: OwnText) => {
    const now = Date.now();
    void store.saveOwn(changing === undefined ? newOwnCard(text, now) : changedOwnCard(changing, text, now));
    setSaid(changing === undefined ? cardTexts.added : cardTexts.changed);
    setChanging(undefined);
    setGone(undefined);
  };
  const remove = (card: OwnCard) => {
    void store.saveOwn(deletedOwnCard(card, Date.now()));
    setSaid(cardTexts.deleted);
    setGone(card);
    if (changing?.id === card.id) setChanging(undefined);
  };
  const bringBack = () => {
    const empty = store.data().own.find(({ id }) => id === gone?.id);
    if (gone !== undefined && empty !== undefined) void store.saveOwn(changedOwnCard(empty, gone, Date.now()));
    setSaid(cardTexts.broughtBack);
    setGone(undefined);
    title.current?.focus();
  };
  return (
    <section class="card study-part" aria-labelledby="own-title">
      <h2 id="own-title" tabIndex={-1} ref={title}>
        {cardTexts.ownTitle}
      </h2>
      <p class="note">{cardTexts.ownNote}</p>
      <OwnForm
        key={changing?.id ?? "new"}
        card={changing}
        count={cards.filter(({ id }) => id !== changing?.id).length}
        objectives={pack.blueprint.objectives}
        save={save}
        refused={() => setSaid("")}
        cancel={changing === undefined ? undefined : () => setChanging(undefined)}
      />
      <p class="row own-said">
        <output aria-live="polite">{said}</output>
        {gone === undefined ? null : (
          <button type="button" class="small" ref={undo} onClick={bringBack}>
            {cardTexts.undoDelete}
          </button>
        )}
      </p>
      <OwnList cards={cards} change={setChanging} remove={remove} />
    </section>
  );
}

interface OwnFormProps {
  /** Undefined for a new one. */
  card: OwnCard | undefined;
  /** Of other cards. */
  count: number;
  objectives: readonly { id: string; text: string }[];
  save: (text: OwnText) => void;
  /** What was said of the card before is over. */
  refused: () => void;
  cancel?: () => void;
}

const faultText = (fault: OwnFault, { front, back }: OwnText) => {
  const isFront = fault === "long front";
  const values = {
    count: tidied(isFront ? front : back).length,
    most: fault === "many cards" ? kOwnLimits.cards : isFront ? kOwnLimits.front : kOwnLimits.back,
  };
  return fill(cardTexts.faults[fault], values);
};

function OwnForm({ card, count, objectives, save, refused, cancel }: OwnFormProps) {
  const id = useId();
  const [text, setText] = useState<OwnText>(card ?? { front: "", back: "", objective: "" });
  const [isChecked, setChecked] = useState(false);
  const front = useRef<HTMLTextAreaElement>(null);
  const back = useRef<HTMLTextAreaElement>(null);
  const faults = isChecked ? ownFaults(text, count) : [];
  const of = (side: "front" | "back") => faults.filter((one) => one.endsWith(side));
  // Changing begins where the card is; a new one must not take the focus of a page that opens.
  useEffect(() => {
    if (card !== undefined) front.current?.focus();
  }, []);
  const submit = () => {
    const found = ownFaults(text, count);
    setChecked(true);
    if (found.length === 0) {
      save(text);
      // The next card can be typed at once.
      setText({ front: "", back: "", objective: text.objective });
      setChecked(false);
    } else refused();
    if (found.length === 0 || found.some((one) => one.endsWith("front"))) front.current?.focus();
    else back.current?.focus();
  };
  const side = (name: "front" | "back", field: typeof front) => (
    <>
      <label class="label" for={`${id}-${name}`}>
        {cardTexts[name]}
      </label>
      <textarea
        id={`${id}-${name}`}
        ref={field}
        rows={name === "front" ? 2 : 3}
        value={text[name]}
        aria-invalid={of(name).length > 0}
        aria-describedby={`${id}-${name}-fault`}
        onInput={({ currentTarget }) => setText({ ...text, [name]: currentTarget.value })}
      />
      <p id={`${id}-${name}-fault`} class="fault">
        {of(name).map((fault) => faultText(fault, text))}
      </p>
    </>
  );
  return (
    <form
      class="own-fields own-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h3>{card === undefined ? cardTexts.addTitle : cardTexts.changeTitle}</h3>
      {side("front", front)}
      {side("back", back)}
      <label class="label" for={`${id}-objective`}>
        {cardTexts.objective}
      </label>
      <select
        id={`${id}-objective`}
        value={text.objective ?? ""}
        onChange={({ currentTarget }) => setText({ ...text, objective: currentTarget.value })}
      >
        <option value="">{cardTexts.noObjective}</option>
        {objectives.map((one) => (
          <option key={one.id} value={one.id}>
            {one.id} {one.text}
          </option>
        ))}
      </select>
      {faults.includes("many cards") ? <p class="fault">{faultText("many cards", text)}</p> : null}
      <p class="row">
        <button type="submit" class="primary">
          {card === undefined ? cardTexts.add : cardTexts.save}
        </button>
        {cancel === undefined ? null : (
          <button type="button" onClick={cancel}>
            {cardTexts.cancel}
          </button>
        )}
      </p>
    </form>
  );
}

interface OwnListProps {
  cards: readonly OwnCard[];
  change: (card: OwnCard) => void;
  remove: (card: OwnCard) => void;
}

/** The latest first. */
function OwnList({ cards, change, remove }: OwnListProps) {
  const [isWhole, setWhole] = useState(false);
  if (cards.length === 0) return <p class="note">{cardTexts.noOwn}</p>;
  const latest = [...cards].reverse();
  const shown = isWhole ? latest : latest.slice(0, kShown);
  return (
    <>
      <h3>{cards.length === 1 ? cardTexts.ownCountOne : fill(cardTexts.ownCount, { count: cards.length })}</h3>
      <ul class="own-list">
        {shown.map((card) => (
          <li key={card.id}>
            <div>
              <p class="own-text">
                <b>{card.front}</b>
              </p>
              <p class="own-text">{card.back}</p>
              {card.objective === undefined ? null : <p class="note">{card.objective}</p>}
            </div>
            <p class="row">
              <button
                type="button"
                class="small"
                aria-label={fill(cardTexts.changeWhich, { front: card.front })}
                onClick={() => change(card)}
              >
                {cardTexts.change}
              </button>
              <button
                type="button"
                class="small"
                aria-label={fill(cardTexts.deleteWhich, { front: card.front })}
                onClick={() => remove(card)}
              >
                {cardTexts.delete}
              </button>
            </p>
          </li>
        ))}
      </ul>
      {shown.length === cards.length ? null : (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          {fill(cardTexts.showAll, { count: cards.length })}
        </button>
      )}
    </>
  );
}
