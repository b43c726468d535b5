/** An answer cut down to what an agent can read at once, with the places of what was left out. */

export interface LeftOut {
  /** JSON Pointer in the answer. */
  place: string;
  /** Length of its JSON text. */
  characters: number;
}

/** An object or a list that gets less room than this is left out whole: its pieces would say little. */
const kLeastRoom = 1_200;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** What a decision is made of: it gets its room before anything else. */
const kDeciding = new Set(
  "feasible summary decision headlines way binding reasons risks ways_out rejected cost cloud committed on_premises hybrid break_even plans deployments layouts what_would_change_the_decision".split(
    " ",
  ),
);
/** What only who builds it asks for, and lists of what was tried: the last to get room. */
const kDetails = new Set(
  "architecture bill_of_materials carbon compute_fabric compute_switch energy next_step out_of_band pareto power racks reliability software storage tornado".split(
    " ",
  ),
);
const rankOf = (key: string) => (kDeciding.has(key) ? 0 : kDetails.has(key) ? 2 : 1);

/** What decides comes first, then small members; none takes all of what is left, so that the largest keeps some room. */
function ofObject(value: Record<string, unknown>, place: string, room: number, out: LeftOut[]): unknown {
  const kept = new Map<string, unknown>();
  let left = room - 2;
  const inOrder = Object.keys(value).sort((a, b) => rankOf(a) - rankOf(b) || lengthOf(value[a]) - lengthOf(value[b]));
  for (const key of inOrder) {
    const around = JSON.stringify(key).length + 2;
    const share = left * (key === inOrder.at(-1) ? 1 : rankOf(key) === 0 ? 0.8 : 0.5);
    const part = cut(value[key], `${place}/${escaped(key)}`, share - around, out);
    if (part === undefined) continue;
    kept.set(key, part);
    left -= lengthOf(part) + around;
  }
  return Object.fromEntries(Object.keys(value).flatMap((key) => (kept.has(key) ? [[key, kept.get(key)]] : [])));
}

/** Lists keep their first items: the best come first. Of a trace the last one is what was asked for. */
function ofList(value: unknown[], place: string, room: number, out: LeftOut[]): unknown {
  const fromEnd = place.endsWith("/trace");
  const order = value.map((_, i) => (fromEnd ? value.length - 1 - i : i));
  const kept: unknown[] = [];
  let left = room - 2;
  for (const i of order) {
    const item = kept.length === 0 ? cut(value[i], `${place}/${i}`, left, out) : value[i];
    left -= lengthOf(item) + 1;
    // The first was cut to the room that there is.
    if (item === undefined || (left < 0 && kept.length > 0)) break;
    kept.push(item);
  }
  const first = fromEnd ? 0 : kept.length;
  const rest = fromEnd ? value.slice(0, value.length - kept.length) : value.slice(first);
  if (rest.length > 0) out.push({ place: `${place}/${first}`, characters: lengthOf(rest) });
  return fromEnd ? kept.reverse() : kept;
}

function cut(value: unknown, place: string, room: number, out: LeftOut[]): unknown {
  const length = lengthOf(value);
  if (length <= room) return value;
  if (isRecord(value) && room >= kLeastRoom)
    return Array.isArray(value) ? ofList(value, place, room, out) : ofObject(value, place, room, out);
  out.push({ place, characters: length });
  return undefined;
}

/** The answer in about `room` characters of JSON. */
export function shortened(answer: Record<string, unknown>, room: number): Record<string, unknown> {
  const out: LeftOut[] = [];
  const short = cut(answer, "", room, out) as Record<string, unknown>;
  return out.length === 0 ? short : { ...short, left_out: out };
}

/** The value at a JSON Pointer; undefined where there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === "") return document;
  if (!pointer.startsWith("/")) return undefined;
  let value = document;
  for (const token of pointer.slice(1).split("/")) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
