/** Every field of one object of the answer, in its order: numbers as figures, words as words. */
import { isObject, pointerToken, valueAt } from "../json.ts";
import { labelOf, messages } from "../messages.ts";
import { nameOf, usePage } from "../state.ts";
import { Figure } from "./figure.tsx";

export function Quantities({ place, skip = [] }: { place: string; skip?: readonly string[] }) {
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
            <Value place={`${place}/${pointerToken(key)}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ place }: { place: string }) {
  const { state } = usePage();
  const value = valueAt(state.answer.value, place);
  if (typeof value === "number") return <Figure place={place} />;
  if (typeof value === "string") return <>{nameOf([...state.initial.gpus, ...state.initial.models], value)}</>;
  if (typeof value === "boolean") return <>{value ? messages.yes : messages.no}</>;
  if (Array.isArray(value)) {
    return (
      <ul>
        {value.map((_, i) => {
          const item = `${place}/${i}`;
          return (
            <li key={item}>
              <Value place={item} />
            </li>
          );
        })}
      </ul>
    );
  }
  return <Quantities place={place} />;
}
