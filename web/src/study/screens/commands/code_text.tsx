/** A text with commands in it: what is between backticks is shown as it is typed. */
import { codeParts } from "../../commands/code_parts.ts";

export function CodeText({ text }: { text: string }) {
  return <>{codeParts(text).map(({ part, place, isCode }) => (isCode ? <code key={place}>{part}</code> : part))}</>;
}
