/** Every field of one object of the answer, in its order: numbers as figures, words as words. */

import { keyOf } from "./../format.ts";
import { figureText, phrase } from "../format.ts";
import { isObject, pointerToken, valueAt } from "../json.ts";
import { labelOf, labels, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf } from "../state.ts";
import { Figure } from "./figure.tsx";
import { choiceName } from "./names.ts";

interface QuantitiesProps {
  place: string;
  skip?: readonly string[];
  /** Numbers are choices, which have no explanation of their own. */
  plain?: boolean;
}

export function Quantities({ place, skip = [], plain = false }: QuantitiesProps) {
  const { state } = usePage();
  const value = valueAt(state.answer.value, place);
  if (!isObject(value)) return null;
  const keys = Object.keys(value).filter((key) => !skip.includes(key) && value[key] !== null);
  if (keys.length === 0) return null;
  return (
    <dl class="quantities">
      {keys.map((key) => (
        <div key={key}>
          <dt>{labelOf(key)}</dt>
          <dd>
            <Value place={`${place}/${pointerToken(key)}`} plain={plain} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ place, plain }: { place: string; plain: boolean }) {
  const { state } = usePage();
  const value = valueAt(state.answer.value, place);
  if (typeof value === "number") {
    const text = phrase(figureText(keyOf(place), value));
    return plain ? <span>{text}</span> : <Figure place={place} />;
  }
  // A limit is called as its field.
  if (typeof value === "string" && value.includes("_") && Object.hasOwn(labels, value)) return <>{labelOf(value)}</>;
  if (typeof value === "string")
    return <>{choiceName(nameOf([...state.initial.gpus, ...state.initial.models], value))}</>;
  if (typeof value === "boolean") return <>{value ? messages.yes : messages.no}</>;
  if (Array.isArray(value)) {
    return (
      <ul>
        {value.map((_, i) => {
          const item = `${place}/${i}`;
          return (
            <li key={item}>
              <Value place={item} plain={plain} />
            </li>
          );
        })}
      </ul>
    );
  }
  return <Quantities place={place} plain={plain} />;
}
