/** Long lists are drawn in parts, and decks are gone through one card at a time. */

/** Rows that are drawn at once. */
const kPart = 50;

export const firstPart = kPart;
export const firstPartOnPhone = 15;
/** How many stand there after the next part. */
export const withNextPart = (shown: number) => shown + kPart;
/** How many the next part brings. */
export const nextPart = (count: number, shown: number) => Math.min(kPart, count - shown);

/** The place after one, and after the last the first. */
export const placeAfter = (place: number, count: number) => (place + 1) % count;
export const placeBefore = (place: number) => Math.max(0, place - 1);
/** People count from 1. */
export const placeName = (place: number) => place + 1;
