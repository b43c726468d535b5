/** Cards that a learner writes: a front, a back, perhaps an objective. Plain text. A deleted card stays as an empty one with its time, so that an older backup does not bring it back. */

import { csv } from "../csv.ts";
import { isObject, type JsonObject } from "../json.ts";
import { isTime, newId } from "./log.ts";

export interface OwnCard {
  id: string;
  front: string;
  back: string;
  /** Of the blueprint. */
  objective?: string;
  made: number;
  /** Of the last change: of two versions of a card the later one is kept. */
  time: number;
  deleted?: true;
}

/** Characters of each side, and how many cards there may be. */
export const kOwnLimits = { front: 500, back: 2000, cards: 5000 };
const kLongestObjective = 20;

/** What is typed, as it is kept: lines end alike, nothing around them, no control characters but tab and line end. */
export const tidied = (text: string) =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "")
    .trim();

export interface OwnText {
  front: string;
  back: string;
  objective?: string;
}

export type OwnFault = "no front" | "no back" | "long front" | "long back" | "many cards";

/** What keeps a text from being a card; `count` is that of the cards that are there without it. */
export function ownFaults({ front, back }: OwnText, count: number): OwnFault[] {
  const [asked, answer] = [tidied(front), tidied(back)];
  const faults: [boolean, OwnFault][] = [
    [asked === "", "no front"],
    [asked.length > kOwnLimits.front, "long front"],
    [answer === "", "no back"],
    [answer.length > kOwnLimits.back, "long back"],
    [count >= kOwnLimits.cards, "many cards"],
  ];
  return faults.flatMap(([is, fault]) => (is ? [fault] : []));
}

const textOf = ({ front, back, objective }: OwnText) => ({
  front: tidied(front),
  back: tidied(back),
  ...(objective === undefined || objective === "" ? {} : { objective }),
});

export const newOwnCard = (text: OwnText, now: number): OwnCard => ({
  id: newId(),
  ...textOf(text),
  made: now,
  time: now,
});

/** A change is later than what it changes, also where a clock was set back. */
export const laterThan = ({ time }: { time: number }, now: number) => Math.max(now, time + 1);

export const changedOwnCard = (card: OwnCard, text: OwnText, now: number): OwnCard => ({
  id: card.id,
  ...textOf(text),
  made: card.made,
  time: laterThan(card, now),
});

export const deletedOwnCard = (card: OwnCard, now: number): OwnCard => ({
  id: card.id,
  front: "",
  back: "",
  made: card.made,
  time: laterThan(card, now),
  deleted: true,
});

const isTextTo = (value: unknown, longest: number) => typeof value === "string" && value.length <= longest;

export const isOwnCard = (value: unknown): value is OwnCard =>
  isObject(value) &&
  isTextTo(value.id, 100) &&
  value.id !== "" &&
  isTextTo(value.front, kOwnLimits.front) &&
  isTextTo(value.back, kOwnLimits.back) &&
  (value.deleted === true || (value.deleted === undefined && value.front !== "" && value.back !== "")) &&
  (value.objective === undefined || isTextTo(value.objective, kLongestObjective)) &&
  isTime(value.made) &&
  isTime(value.time);

/** Those that are there, the oldest first. */
export const ownCards = (all: readonly OwnCard[]): OwnCard[] =>
  all
    .filter(({ deleted }) => deleted !== true)
    .sort((a, b) => a.made - b.made || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

/** As a table for other programs. */
export const ownCsv = (all: readonly OwnCard[]): string =>
  csv(
    ownCards(all).map(
      ({ id, front, back, objective, made }): JsonObject => ({
        id,
        front,
        back,
        ...(objective === undefined ? {} : { objective }),
        made: new Date(made).toISOString(),
      }),
    ),
    ["id", "front", "back", "objective", "made"],
  );
