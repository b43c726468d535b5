/** Inputs of a request found by what is typed: their label, their key, the words of the schema, and what people call them. */
import fieldWords from "../data/field_words.json";
import { isObject, type JsonObject, pointerToken, valueAt } from "../json.ts";
import { followLanguage } from "../language.ts";
import { fieldLabel } from "./field_names.ts";
import { askedAs, type Field, formOf } from "./requests.ts";

const words: Record<string, string> = followLanguage("field_words", fieldWords);

export interface FoundInput {
  name: string;
  field: Field;
  pointer: string;
  required: boolean;
  /** What it is part of, from the outside in. */
  within: string[];
}

/** Every input that a request has or may have; of lists those of the items that are there. */
export function inputsOf(schema: Field, request: JsonObject, hidden: ReadonlySet<string>): FoundInput[] {
  const inside = (field: Field, pointer: string, within: string[]): FoundInput[] => {
    const { properties = {}, required = [] } = formOf(field, valueAt(request, pointer));
    return Object.entries(properties).flatMap(([name, own]) => {
      if (pointer === "" && hidden.has(name)) return [];
      const at = `${pointer}/${pointerToken(name)}`;
      const label = fieldLabel(name);
      switch (askedAs(own)) {
        case "object":
          return inside(own, at, [...within, label]);
        case "objects": {
          const items = valueAt(request, at);
          if (!Array.isArray(items) || own.items === undefined) return [];
          const form = own.items;
          const nameOf = (item: unknown) => (isObject(item) && typeof item.name === "string" ? item.name : label);
          return items.flatMap((item, i) => inside(form, `${at}/${i}`, [...within, nameOf(item)]));
        }
        default:
          return [{ name, field: own, pointer: at, required: required.includes(name), within }];
      }
    });
  };
  return inside(schema, "", []);
}

/** Inputs that hold every typed word; those whose label begins with the first come first, then those whose label holds them all. */
export function matchingInputs(inputs: readonly FoundInput[], typed: string): FoundInput[] {
  const asked = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const [first] = asked;
  if (first === undefined) return [];
  const rank = ({ name, field, within }: FoundInput) => {
    const label = fieldLabel(name).toLowerCase();
    const called = `${label} ${name.replaceAll("_", " ")} ${words[name] ?? ""}`.toLowerCase();
    const all = `${called} ${field.description ?? ""} ${within.join(" ")}`.toLowerCase();
    const has = (text: string) => asked.every((word) => text.includes(word));
    if (!has(all)) return undefined;
    if (label.startsWith(first)) return 0;
    return has(label) ? 1 : has(called) ? 2 : 3;
  };
  const ranked = inputs.flatMap((input) => {
    const place = rank(input);
    return place === undefined ? [] : [{ input, place }];
  });
  return [0, 1, 2, 3].flatMap((place) => ranked.filter((one) => one.place === place).map(({ input }) => input));
}
