/** What the fields of every form share: numbers as they are typed, choices by group, and the engine's complaints. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { CatalogItem, RequestError } from "../contract.ts";
import { fieldText } from "../format.ts";
import { numberAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";

/** True where a complaint names a place or something in it. */
export function isWithin({ path }: RequestError, pointer: string): boolean {
  return path === pointer || path.startsWith(`${pointer}/`);
}

export function Faults({ id, errors }: { id: string; errors: readonly RequestError[] }) {
  return (
    <div id={id} class="fault">
      {errors.map((error) => (
        <FaultText key={error.message} error={error} />
      ))}
    </div>
  );
}

function FaultText({ error }: { error: RequestError }) {
  return (
    <p>
      {error.message} {error.hint === undefined ? null : fill(messages.hint, { hint: error.hint })}
    </p>
  );
}

interface OtherFaultsProps {
  errors: readonly RequestError[];
  /** What may be done about a complaint. */
  cure?: (error: RequestError) => ComponentChildren;
}

/** Complaints about places that the form has no field for. */
export function OtherFaults({ errors, cure }: OtherFaultsProps) {
  if (errors.length === 0) return null;
  return (
    <div class="fault">
      <h3>{messages.otherErrors}</h3>
      {errors.map((error) => (
        <div key={error.path + error.message}>
          <code>{error.path}</code> <FaultText error={error} />
          {cure?.(error)}
        </div>
      ))}
    </div>
  );
}

interface NumberInputProps {
  id: string;
  pointer: string;
  /** How many of the field's units one of the request's units holds. */
  factor?: number;
  placeholder?: string;
  "aria-invalid": boolean;
  "aria-describedby": string;
}

/** While it is being typed into, the field shows what was typed, unless the request has meanwhile got another value. */
export function NumberInput({ pointer, factor = 1, ...attributes }: NumberInputProps) {
  const { state, controller } = usePage();
  const [draft, setDraft] = useState<{ text: string; value: number | undefined }>();
  const value = numberAt(state.request.value, pointer);
  const shown = value === undefined ? "" : fieldText(value * factor);
  return (
    <input
      {...attributes}
      type="number"
      inputMode="decimal"
      step="any"
      value={draft !== undefined && draft.value === value ? draft.text : shown}
      onInput={({ currentTarget: { value: typed, validity } }) => {
        const given = factor === 1 ? Number(typed) : Number((Number(typed) / factor).toPrecision(12));
        const next = typed === "" ? undefined : given;
        setDraft({ text: typed, value: validity.badInput ? value : next });
        if (!validity.badInput) controller.edit(pointer, next);
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}

export function byGroup(items: readonly CatalogItem[]): [string, CatalogItem[]][] {
  const groups = new Map<string, CatalogItem[]>();
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return [...groups];
}

/** The items of a list to choose from, by their groups where they have some. */
export function Options({ items, chosen }: { items: readonly CatalogItem[]; chosen: string }) {
  return (
    <>
      {byGroup(items).map(([group, some]) => {
        const options = some.map(({ id, name }) => (
          <option key={id} value={id} selected={id === chosen}>
            {name}
          </option>
        ));
        return group === "" ? (
          options
        ) : (
          <optgroup key={group} label={group}>
            {options}
          </optgroup>
        );
      })}
    </>
  );
}

interface ItemBoxProps {
  item: CatalogItem;
  chosen: readonly string[];
  /** Takes what is chosen after a change. */
  choose: (ids: string[] | undefined) => void;
}

/** One of several items that may be chosen at once. */
export function ItemBox({ item: { id, name }, chosen, choose }: ItemBoxProps) {
  const toggle = (on: boolean) => {
    const next = on ? [...chosen, id] : chosen.filter((other) => other !== id);
    choose(next.length === 0 ? undefined : next);
  };
  return (
    <label class="check">
      <input type="checkbox" checked={chosen.includes(id)} onChange={(event) => toggle(event.currentTarget.checked)} />
      <span>{name}</span>
    </label>
  );
}
