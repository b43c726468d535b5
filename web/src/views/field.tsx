/** What the fields of every form share: numbers as they are typed, choices by group, and the engine's complaints. */
import { useEffect, useState } from "preact/hooks";
import type { CatalogItem, RequestError } from "../contract.ts";
import { rates } from "../currency.ts";
import { figureText, phrase } from "../format.ts";
import { numberAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { formTexts } from "../screens/form_texts.ts";
import { lazy } from "./lazy.tsx";
import { isWorded, quantityOf, shownNumber, typedNumber } from "./quantity.ts";

/** True where a complaint names a place or something in it. */
export function isWithin({ path }: RequestError, pointer: string): boolean {
  return path === pointer || path.startsWith(`${pointer}/`);
}

/** Complaints in words of the form, with what mends them; the code comes with the first of them. */
export const faultView = lazy(async () => (await import("../screens/fault_view.tsx")).FaultView);

export function Faults({ id, errors }: { id: string; errors: readonly RequestError[] }) {
  return (
    <div id={id} class="fault">
      {errors.map((error) => (
        <FaultText key={error.message} error={error} />
      ))}
    </div>
  );
}

export function FaultsAt({ id, pointer }: { id: string; pointer: string }) {
  const { state } = usePage();
  return <Faults id={id} errors={state.errors.value.filter((error) => isWithin(error, pointer))} />;
}

export function useFault(pointer: string): boolean {
  return usePage().state.errors.value.some((error) => isWithin(error, pointer));
}

function FaultText({ error, apart = false }: { error: RequestError; apart?: boolean }) {
  useEffect(faultView.load, []);
  const View = faultView.view.value;
  if (View !== undefined) return <View error={error} apart={apart} />;
  // Until then, and where it cannot be loaded, the engine's own words.
  return <p>{error.message}</p>;
}

/** Complaints about places that the form has no field for. */
export function OtherFaults({ errors }: { errors: readonly RequestError[] }) {
  if (errors.length === 0) return null;
  return (
    <div class="fault">
      <h3>{messages.otherErrors}</h3>
      {errors.map((error) => (
        <div key={error.path + error.message}>
          <FaultText error={error} apart />
        </div>
      ))}
    </div>
  );
}

interface NumberInputProps {
  id: string;
  pointer: string;
  /** How the unit of the request's field is written. */
  sign?: string;
  placeholder?: string;
  "aria-invalid": boolean;
  "aria-describedby": string;
}

/** From here on the zeros of a number cannot be counted at a glance. */
const kSaidInWords = 1e7;

interface Draft {
  text: string;
  value: number | undefined;
  problem?: string;
}

/**
 * A number with its unit, as it is typed. While it is being typed into, the field shows what was typed, unless the request has
 * meanwhile got another value; below it stands what was understood, or what is wrong with it. What is not understood is not asked.
 */
export function NumberInput({ pointer, sign, ...attributes }: NumberInputProps) {
  const { state, controller } = usePage();
  const [draft, setDraft] = useState<Draft>();
  const key = pointer.slice(pointer.lastIndexOf("/") + 1);
  const quantity = () => quantityOf(key, sign);
  const value = numberAt(state.request.value, pointer);
  const shown = value === undefined ? "" : shownNumber(value, quantity());
  const typed = draft !== undefined && draft.value === value ? draft : undefined;
  const { problem } = typed ?? {};
  const isTelling =
    value !== undefined && (isWorded(typed?.text ?? shown) || (quantity().counts && value >= kSaidInWords));
  const noteId = `${attributes.id}-read`;
  const note = problem ?? (isTelling ? fill(formTexts.understood, { value: phrase(figureText(key, value)) }) : "");
  const take = (text: string) => {
    if (text.trim() === "") {
      setDraft({ text, value: undefined });
      return controller.edit(pointer, undefined);
    }
    const read = typedNumber(text, quantity());
    if ("problem" in read) {
      const { unit, problem } = read;
      if (problem === "currency" && rates.value.length === 1)
        // Its rate may be among those that are not loaded yet.
        void import("../money.ts").then(
          () => take(text),
          () => undefined,
        );
      return setDraft({
        text,
        value,
        problem: fill(formTexts.problems[problem], { unit, example: quantity().example }),
      });
    }
    setDraft({ text, value: read.value });
    controller.edit(pointer, read.value);
  };
  return (
    <>
      <input
        {...attributes}
        aria-invalid={attributes["aria-invalid"] || problem !== undefined || undefined}
        aria-describedby={note === "" ? attributes["aria-describedby"] : `${noteId} ${attributes["aria-describedby"]}`}
        class="number"
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={typed?.text ?? shown}
        onInput={({ currentTarget }) => take(currentTarget.value)}
        onBlur={() => {
          if (problem === undefined) setDraft(undefined);
        }}
      />
      <span id={noteId} class={problem === undefined ? "in-words" : "fault"}>
        {note}
      </span>
    </>
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
