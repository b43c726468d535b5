/** What a learner keeps at a card: a note, a bookmark, "do not ask again". Each is an entry of its own with the time of its last change, so that two machines lose none of them; one that was taken back stays as such. */
import { isObject } from "../json.ts";
import { isTime } from "./log.ts";
import { laterThan, tidied } from "./own_cards.ts";

export const kMarks = ["note", "bookmark", "suspended"] as const;
export type MarkKind = (typeof kMarks)[number];

export interface CardMark {
  /** A written question, a template, a term or an own card. */
  card: string;
  mark: MarkKind;
  /** False once it was taken back. */
  on: boolean;
  /** Of a note. */
  text?: string;
  /** Of the last change. */
  time: number;
}

/** Characters of a note. */
export const kLongestNote = 4000;

export const markKey = ({ card, mark }: Pick<CardMark, "card" | "mark">) => `${mark} ${card}`;

export const isCardMark = (value: unknown): value is CardMark =>
  isObject(value) &&
  typeof value.card === "string" &&
  value.card !== "" &&
  value.card.length <= 200 &&
  kMarks.some((mark) => mark === value.mark) &&
  typeof value.on === "boolean" &&
  (value.mark === "note" && value.on
    ? typeof value.text === "string" && value.text !== "" && value.text.length <= kLongestNote
    : value.text === undefined) &&
  isTime(value.time);

/** What the marks of a card are kept in. */
export interface Marked {
  marks: readonly CardMark[];
}

/** Cards with a mark, the latest first. */
const cardsWith = ({ marks }: Marked, kind: MarkKind): string[] =>
  marks
    .filter(({ mark, on }) => on && mark === kind)
    .sort((a, b) => b.time - a.time || (a.card < b.card ? -1 : 1))
    .map(({ card }) => card);

/** Bookmarked cards, the latest first; some may be gone from the site. */
export const bookmarkedCards = (data: Marked): string[] => cardsWith(data, "bookmark");

/** Cards that are not to be asked. */
export const suspendedCards = (data: Marked): ReadonlySet<string> => new Set(cardsWith(data, "suspended"));

const found = ({ marks }: Marked, card: string, kind: MarkKind) =>
  marks.find((one) => one.card === card && one.mark === kind);

export const hasMark = (data: Marked, card: string, kind: MarkKind): boolean => found(data, card, kind)?.on === true;

export const noteOn = (data: Marked, card: string): string | undefined => found(data, card, "note")?.text;

const changeTime = (before: CardMark | undefined, now: number) => (before === undefined ? now : laterThan(before, now));

/** The bookmark or the "do not ask again" of a card, set or taken back. */
export function markSet(
  data: Marked,
  card: string,
  mark: Exclude<MarkKind, "note">,
  on: boolean,
  now: number,
): CardMark {
  return { card, mark, on, time: changeTime(found(data, card, mark), now) };
}

/** The note of a card; an empty text removes it. Too long a text has been refused before. */
export function noteSet(data: Marked, card: string, text: string, now: number): CardMark {
  const kept = tidied(text);
  const time = changeTime(found(data, card, "note"), now);
  return { card, mark: "note", on: kept !== "", ...(kept === "" ? {} : { text: kept }), time };
}
