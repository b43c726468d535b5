/** Lists of the catalog, asked of the engine once each. */
import type { CatalogItem } from "../contract.ts";
import { isObject, type JsonObject } from "../json.ts";
import { askEngine } from "../pages.ts";
import { quantityOf, typedNumber } from "../views/quantity.ts";

/** A plain count, which may be written with a letter. */
const kCount = quantityOf("");

const rows = new Map<string, Promise<JsonObject[]>>();

const kParameters = ["total_parameters", "active_parameters"] as const;

/** Parameters of a model that the engine does not compute are those of its publisher, as `1.6T`. */
export function publishedParameters(model: JsonObject): JsonObject {
  return Object.fromEntries(
    kParameters.flatMap((key) => {
      const label = model[`${key}_label`];
      const read = typeof label === "string" && model[key] === undefined ? typedNumber(label, kCount) : undefined;
      return read !== undefined && "value" in read ? [[key, read.value]] : [];
    }),
  );
}

async function withPublished(row: JsonObject): Promise<JsonObject> {
  if (kParameters.every((key) => row[key] !== undefined)) return row;
  const answer: unknown = JSON.parse(await askEngine({ kind: "catalog", show: "models", id: String(row.id) }));
  return isObject(answer) && isObject(answer.item) ? { ...row, ...publishedParameters(answer.item) } : row;
}

/** The items of a list as the engine has them. */
export function catalogRows(list: string): Promise<JsonObject[]> {
  const known = rows.get(list);
  if (known !== undefined) return known;
  const asked = askEngine({ kind: "catalog", list }).then((text) => {
    const answer: unknown = JSON.parse(text);
    const items = isObject(answer) && Array.isArray(answer.items) ? answer.items.filter(isObject) : [];
    return list === "models" ? Promise.all(items.map(withPublished)) : items;
  });
  rows.set(list, asked);
  asked.catch(() => rows.delete(list));
  return asked;
}

export async function catalogList(list: string): Promise<CatalogItem[]> {
  return (await catalogRows(list)).map((item) => ({
    id: String(item.id),
    name: String(item.name ?? item.id),
    group: String(item.organisation ?? item.vendor ?? ""),
  }));
}
