/** What a learner keeps at a card: a bookmark and "do not ask again" in its head, and a note after its answer. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { hasMark, kLongestNote, markSet, noteOn, noteSet } from "../../card_marks.ts";
import { tidied } from "../../own_cards.ts";
import { isRecallCard } from "../../recall.ts";
import type { StudyStore } from "../../store.ts";
import { cardTexts } from "../cards/texts.ts";
import { studyStore } from "../study_data.ts";
import "./marks.css";

type Say = (text: string) => void;

interface CardProps {
  store: StudyStore;
  card: string;
  say: Say;
}

export function toggleBookmark({ store, card, say }: CardProps): void {
  const on = !hasMark(store.data(), card, "bookmark");
  void store.saveMark(markSet(store.data(), card, "bookmark", on, Date.now()));
  say(on ? cardTexts.setBookmark : cardTexts.removedBookmark);
}

interface HeadProps extends CardProps {
  /** Goes on where the card is not to be asked and is not answered. */
  onSuspended?: () => void;
}

export function CardHead({ store, card, say, onSuspended }: HeadProps) {
  const data = store.data();
  const isMarked = hasMark(data, card, "bookmark");
  const isSuspended = hasMark(data, card, "suspended");
  const suspend = () => {
    void store.saveMark(markSet(store.data(), card, "suspended", !isSuspended, Date.now()));
    say(isSuspended ? cardTexts.askedAgain : cardTexts.suspendedNow);
    if (!isSuspended) onSuspended?.();
  };
  return (
    <p class="row card-head">
      {isRecallCard(card) ? null : (
        <button
          type="button"
          class="small"
          aria-pressed={isMarked}
          onClick={() => toggleBookmark({ store, card, say })}
        >
          <span aria-hidden="true">{isMarked ? "★" : "☆"}</span> {isMarked ? cardTexts.bookmarked : cardTexts.bookmark}
        </button>
      )}
      <button type="button" class="small" aria-pressed={isSuspended} onClick={suspend}>
        {isSuspended ? <span aria-hidden="true">✓ </span> : null}
        {cardTexts.suspend}
      </button>
    </p>
  );
}

/** All of it at a question outside of a session. */
export function QuestionMarks({ card }: { card: string }) {
  const [store, setStore] = useState<StudyStore>();
  const [said, say] = useState("");
  useEffect(() => void studyStore().then(setStore), []);
  if (store === undefined) return null;
  return (
    <div>
      <CardNote store={store} card={card} say={say} />
      <CardHead store={store} card={card} say={say} />
      <p class="hidden" role="status">
        {said}
      </p>
    </div>
  );
}

/** The note of a card, and its field while it is written. */
export function CardNote({ store, card, say }: CardProps) {
  const note = noteOn(store.data(), card);
  const [isOpen, setOpen] = useState(false);
  const open = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // The field is gone with the button that was pressed.
  useEffect(() => {
    if (wasOpen.current && !isOpen) open.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen) return <NoteField store={store} card={card} say={say} close={() => setOpen(false)} />;
  return (
    <section class="card-note">
      {note === undefined ? null : (
        <>
          <h3>{cardTexts.note}</h3>
          <p class="own-text">{note}</p>
        </>
      )}
      <button type="button" class="small" ref={open} onClick={() => setOpen(true)}>
        {note === undefined ? cardTexts.addNote : cardTexts.changeNote}
      </button>
    </section>
  );
}

function NoteField({ store, card, say, close }: CardProps & { close: () => void }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(noteOn(store.data(), card) ?? "");
  const { length } = tidied(text);
  const isLong = length > kLongestNote;
  useEffect(() => field.current?.focus(), []);
  const save = () => {
    if (isLong) return field.current?.focus();
    void store.saveMark(noteSet(store.data(), card, text, Date.now()));
    say(length === 0 ? cardTexts.noteRemoved : cardTexts.noteSaved);
    return close();
  };
  return (
    <form
      class="card-note own-fields"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label class="label" for={id}>
        {cardTexts.note}
      </label>
      <textarea
        id={id}
        ref={field}
        rows={4}
        value={text}
        aria-invalid={isLong}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
      />
      <p id={`${id}-hint`} class={isLong ? "fault" : "note"} role={isLong ? "alert" : undefined}>
        {isLong ? fill(cardTexts.noteLong, { count: length, most: kLongestNote }) : cardTexts.noteHint}
      </p>
      <p class="row">
        <button type="submit" class="small">
          {cardTexts.saveNote}
        </button>
        <button type="button" class="small" onClick={close}>
          {cardTexts.cancel}
        </button>
      </p>
    </form>
  );
}
