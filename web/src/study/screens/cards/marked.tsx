/** Bookmarked questions, and cards that are not asked again, with what each asks; both can be taken back. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { bookmarkedCards, markSet, suspendedCards } from "../../card_marks.ts";
import type { OwnCard } from "../../own_cards.ts";
import type { QuestionPack } from "../../pack.ts";
import { isRecallCard, recallText } from "../../recall.ts";
import { askQuestion } from "../ask_question.ts";
import { termsNow } from "../session/terms.ts";
import type { StudyTools } from "../study_data.ts";
import { cardTexts } from "./texts.ts";

/** The numbers with which computed questions are shown here. */
const kShownSeed = 1;

/** What a recall card asks, in a line. */
function recallLine(card: string, own: readonly OwnCard[]): string | undefined {
  const found = recallText(card, termsNow(), own);
  if (found === undefined) return undefined;
  if (found.asks === "own") return found.front;
  return found.asks === "meaning"
    ? fill(cardTexts.meaningOf, { term: found.front })
    : fill(cardTexts.termOf, { meaning: found.front });
}

/** What a question asks; undefined until it is there. */
function usePrompt(pack: QuestionPack, card: string): string | undefined {
  const [prompt, setPrompt] = useState<string>();
  useEffect(() => {
    let isGone = false;
    const set = (text: string) => isGone || setPrompt(text);
    askQuestion(pack, card, kShownSeed).then(
      (found) => set(found?.prompt ?? cardTexts.goneCard),
      () => set(cardTexts.goneCard),
    );
    return () => {
      isGone = true;
    };
  }, [pack, card]);
  return prompt;
}

export function MarkedParts({ tools }: { tools: StudyTools }) {
  const data = tools.store.data();
  return (
    <>
      <MarkedPart tools={tools} mark="bookmark" cards={bookmarkedCards(data)} />
      <MarkedPart tools={tools} mark="suspended" cards={[...suspendedCards(data)]} />
    </>
  );
}

interface PartProps {
  tools: StudyTools;
  mark: "bookmark" | "suspended";
  cards: readonly string[];
}

const kTexts = {
  bookmark: {
    title: "bookmarksTitle",
    none: "noBookmarks",
    take: "removeBookmark",
    which: "removeBookmarkWhich",
    taken: "removedBookmark",
  },
  suspended: {
    title: "suspendedTitle",
    none: "noSuspended",
    take: "askAgain",
    which: "askAgainWhich",
    taken: "askedAgain",
  },
} as const;

function MarkedPart({ tools, mark, cards }: PartProps) {
  const [said, setSaid] = useState("");
  const title = useRef<HTMLHeadingElement>(null);
  const words = kTexts[mark];
  const { store } = tools;
  const takeBack = (card: string) => {
    void store.saveMark(markSet(store.data(), card, mark, false, Date.now()));
    setSaid(cardTexts[words.taken]);
    // The button goes with its line.
    title.current?.focus();
  };
  return (
    <section class="card study-part" aria-labelledby={`${mark}-title`}>
      <h2 id={`${mark}-title`} tabIndex={-1} ref={title}>
        {cardTexts[words.title]}
      </h2>
      {mark === "suspended" && cards.length > 0 ? <p class="note">{cardTexts.suspendedNote}</p> : null}
      {cards.length === 0 ? (
        <p class="note">{cardTexts[words.none]}</p>
      ) : (
        <ul class="own-list">
          {cards.map((card) => (
            <MarkedLine key={card} tools={tools} card={card} words={words} takeBack={() => takeBack(card)} />
          ))}
        </ul>
      )}
      <output aria-live="polite">{said}</output>
    </section>
  );
}

interface LineProps {
  tools: StudyTools;
  card: string;
  words: (typeof kTexts)[PartProps["mark"]];
  takeBack: () => void;
}

function MarkedLine(props: LineProps) {
  if (isRecallCard(props.card)) {
    const text = recallLine(props.card, props.tools.store.data().own);
    return <Line {...props} text={text ?? cardTexts.goneCard} />;
  }
  return <QuestionLine {...props} />;
}

function QuestionLine(props: LineProps) {
  return <Line {...props} text={usePrompt(props.tools.pack, props.card) ?? "…"} />;
}

function Line({ words, takeBack, text }: LineProps & { text: string }) {
  return (
    <li>
      <p class="own-text" lang="en">
        {text}
      </p>
      <button type="button" class="small" aria-label={fill(cardTexts[words.which], { text })} onClick={takeBack}>
        {cardTexts[words.take]}
      </button>
    </li>
  );
}
