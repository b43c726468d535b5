/** How wide a text may be drawn, and the lines into which it is broken. */

/** Advances of DejaVu Sans, the widest of the usual fonts, in hundredths of its size. */
const kAdvances: readonly (readonly [letters: string, advance: number])[] = [
  ["'ijlI|J", 30],
  [" .,:;!·", 34],
  ['/-()[]f"', 40],
  ["rt", 42],
  ["scz", 55],
  ["kvxyFL", 60],
  ["aeobdghnpqu0123456789EPTY$?", 64],
  ["ABCKRSVXZ", 70],
  ["DGHNOQU&", 79],
  ["wM+=<>×→–≈≥≤~", 87],
  ["mW%@—…", 100],
];

const advances = new Map(kAdvances.flatMap(([letters, advance]) => [...letters].map((one) => [one, advance] as const)));

/** Semi-bold letters are wider than normal ones. */
export const kBoldShare = 1.1;

/** An upper bound in pixels. */
export function textWidth(text: string, size: number, share = 1): number {
  const hundredths = [...text].reduce((sum, one) => sum + (advances.get(one) ?? 100), 0);
  return Math.ceil((hundredths * size * share) / 100);
}

interface Font {
  size: number;
  share?: number;
}

const widthOf = (text: string, { size, share }: Font) => textWidth(text, size, share);

/** Lines as long as the width allows; a word that is longer is a line of its own. */
export function wrapped(text: string, width: number, font: Font): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`, font) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export const widest = (lines: readonly string[], font: Font) => Math.max(0, ...lines.map((one) => widthOf(one, font)));

/** As many lines as the width makes of it, each about as long as the others. */
export function balanced(text: string, width: number, font: Font): string[] {
  const count = wrapped(text, width, font).length;
  let best = wrapped(text, width, font);
  for (let narrower = width; narrower > 24; narrower -= 4) {
    const lines = wrapped(text, narrower, font);
    if (lines.length > count) break;
    if (widest(lines, font) <= widest(best, font)) best = lines;
  }
  return best;
}
