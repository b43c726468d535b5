/** Sentences with views in them: messages with `{name}` places, and the engine's, which may name fields of a request. */
import type { ComponentChildren } from "preact";
import { inSentence, labelOf, labels } from "../messages.ts";
import { usePage } from "../page.ts";

export function Sentence({ template, parts }: { template: string; parts: Record<string, ComponentChildren> }) {
  return (
    <>
      {template
        .split(/(\{\w+\})/)
        .map((piece) => (piece.startsWith("{") ? (parts[piece.slice(1, -1)] ?? null) : piece))}
    </>
  );
}

const kFieldName = /["“]?(?<![\w/.-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w/.-]*\w)["”]?/;

/** Fields of a plan's request that its sentences ask for; a test compares them with the golden answers and the schema. */
export const kAskedFor: readonly string[] = [
  "gpu_hours_per_failure",
  "repair_hours",
  "replica_start_s",
  "site_round_trip_s",
];

/** A sentence of the engine, with the label of a field in place of its name in a request. */
export function Said({ text }: { text: string }) {
  const pieces = text.split(kFieldName);
  return <>{pieces.map((piece, i) => (i % 2 === 0 ? piece : <FieldName key={i} name={piece} />))}</>;
}

/** The label of a field that a sentence names, which leads to its input. */
function FieldName({ name }: { name: string }) {
  const page = usePage();
  // Others name their machines so: `gpu_8x_b200`.
  if (/\d/.test(name) && !Object.hasOwn(labels, name)) return <>{name}</>;
  const label = inSentence(labelOf(name));
  if (page.state.asking.screen !== "plan" || !kAskedFor.includes(name)) return <>{label}</>;
  const open = () => void import("../screens/open_input.ts").then(({ openInput }) => openInput(page, name));
  return (
    <button type="button" class="to-input" onClick={open}>
      {label}
    </button>
  );
}
