/** A message with views in its `{name}` places. */
import type { ComponentChildren } from "preact";

export function Sentence({ template, parts }: { template: string; parts: Record<string, ComponentChildren> }) {
  return (
    <>
      {template
        .split(/(\{\w+\})/)
        .map((piece) => (piece.startsWith("{") ? (parts[piece.slice(1, -1)] ?? null) : piece))}
    </>
  );
}
