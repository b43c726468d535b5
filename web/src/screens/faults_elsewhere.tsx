/** Complaints of the engine about places of a request that no row of its form is at. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { RequestError } from "../contract.ts";
import { type JsonObject, valueAt } from "../json.ts";
import { usePage } from "../page.ts";
import { OtherFaults } from "../views/field.tsx";
import { type Field, formOf } from "./requests.ts";

/** Keys that no field is shown for: the screen has chosen them. */
export const HiddenKeys = createContext<ReadonlySet<string>>(new Set());

interface FaultsElsewhereProps {
  schema: Field;
  among: (error: RequestError) => boolean;
  /** The only inputs that have a row now, where not all have one. */
  shown?: readonly string[] | undefined;
}

/** Complaints that no row of the form tells. */
export function FaultsElsewhere({ schema, among, shown }: FaultsElsewhereProps) {
  const { state } = usePage();
  const hidden = useContext(HiddenKeys);
  const request = state.request.value;
  const hasRow = ({ path }: RequestError) =>
    shown === undefined ? hasField(schema, path, hidden, request) : shown.includes(path);
  return <OtherFaults errors={state.errors.value.filter((error) => among(error) && !hasRow(error))} />;
}

/** True where the schema has a field at a place, whose own row tells the complaint. */
export function hasField(schema: Field, path: string, hidden: ReadonlySet<string>, request: JsonObject = {}): boolean {
  const words = path.split("/").slice(1);
  // An item of a list has no row of its own.
  if (words.length === 0 || hidden.has(words[0] ?? "") || /^\d+$/.test(words.at(-1) ?? "")) return false;
  let field: Field | undefined = schema;
  let at = "";
  for (const word of words) {
    if (field === undefined) return false;
    field = /^\d+$/.test(word) ? field.items : formOf(field, valueAt(request, at)).properties?.[word];
    at += `/${word}`;
  }
  return field !== undefined;
}
