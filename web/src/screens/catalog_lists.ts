/** Lists of the catalog, asked of the engine once each. */
import type { CatalogItem } from "../contract.ts";
import { isObject, type JsonObject } from "../json.ts";
import { askEngine } from "../pages.ts";

const rows = new Map<string, Promise<JsonObject[]>>();

/** The items of a list as the engine has them. */
export function catalogRows(list: string): Promise<JsonObject[]> {
  const known = rows.get(list);
  if (known !== undefined) return known;
  const asked = askEngine({ kind: "catalog", list }).then((text) => {
    const answer: unknown = JSON.parse(text);
    return isObject(answer) && Array.isArray(answer.items) ? answer.items.filter(isObject) : [];
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
