/** Sentences with views in them: messages with `{name}` places, and the engine's, which may name fields of a request. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { lazy } from "./lazy.tsx";

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

/** The code comes with the first sentence that names a field. */
export const fieldName = lazy(async () => (await import("../screens/field_name.tsx")).FieldName);

/** A sentence of the engine, with the label of a field in place of its name in a request. */
export function Said({ text }: { text: string }) {
  const pieces = text.split(kFieldName);
  const hasNames = pieces.length > 1;
  useEffect(() => {
    if (hasNames) fieldName.load();
  }, [hasNames]);
  const Name = hasNames ? fieldName.view.value : undefined;
  return (
    <>{Name === undefined ? text : pieces.map((piece, i) => (i % 2 === 0 ? piece : <Name key={i} name={piece} />))}</>
  );
}
