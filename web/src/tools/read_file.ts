/** Takes the text of a file that a person gives: not of one that is larger than any that the page reads. */
import { fill } from "../messages.ts";
import { texts } from "../screens/texts.ts";

const kLargestFile = 16_000_000;

/** Never fails: where there is no text, `fault` says why. */
export async function textOf(file: File, largest = kLargestFile): Promise<{ text: string } | { fault: string }> {
  if (file.size > largest) return { fault: fill(texts.fileTooLarge, { file: file.name, size: largest / 1e6 }) };
  try {
    return { text: await file.text() };
  } catch {
    // It was moved, changed or locked since it was chosen.
    return { fault: fill(texts.fileUnreadable, { file: file.name }) };
  }
}
