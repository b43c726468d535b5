/** Small pure tools over JSON values: pointers (RFC 6901), merge patches (RFC 7396), canonical text, lists of changes. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
/** `[pointer, value]` sets, `[pointer]` removes. */
export type Change = [string, Json] | [string];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tokens(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => (token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token));
}

export function pointerToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The value at a pointer, or undefined where the path leaves the document. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value: unknown = document;
  for (const token of tokens(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

export function numberAt(document: unknown, pointer: string): number | undefined {
  const value = valueAt(document, pointer);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function textAt(document: unknown, pointer: string): string | undefined {
  const value = valueAt(document, pointer);
  return typeof value === "string" ? value : undefined;
}

function define(target: JsonObject, key: string, value: Json): void {
  // Every other name is an entry when it is assigned, many times faster.
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function put(
  target: JsonObject | Json[],
  token: string,
  value: Json | undefined,
  spend: (steps: number) => void,
): void {
  if (Array.isArray(target)) {
    const index = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
    if (!(index < target.length)) throw new RangeError(`no element ${token}`);
    if (value !== undefined) target[index] = value;
    else {
      spend(target.length);
      target.splice(index, 1);
    }
  } else if (value === undefined) delete target[token];
  else define(target, token, value);
}

/** A copy of the document with one value set, or removed where `value` is undefined. Missing objects on the way are made. */
export function withValue(document: Json, pointer: string, value: Json | undefined): Json {
  return applyChanges(document, [value === undefined ? [pointer] : [pointer, value]]);
}

export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) delete result[key];
    else define(result, key, mergePatch(Object.hasOwn(result, key) ? (result[key] ?? null) : null, value));
  }
  return result;
}

/** JSON text with sorted keys: equal values have equal text. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

function collect(base: Json, value: Json, pointer: string, out: Change[]): void {
  if (isObject(base) && isObject(value)) {
    for (const key of [...new Set([...Object.keys(base), ...Object.keys(value)])].sort()) {
      const inner = `${pointer}/${pointerToken(key)}`;
      if (!Object.hasOwn(value, key)) out.push([inner]);
      else if (!Object.hasOwn(base, key)) out.push([inner, value[key] ?? null]);
      else collect(base[key] ?? null, value[key] ?? null, inner, out);
    }
  } else if (Array.isArray(base) && Array.isArray(value) && base.length === value.length) {
    value.forEach((item, i) => {
      collect(base[i] ?? null, item, `${pointer}/${i}`, out);
    });
  } else if (canonical(base) !== canonical(value)) {
    out.push([pointer, value]);
  }
}

/** What turns `base` into `value`, in a fixed order; empty when they are equal. */
export function changesBetween(base: Json, value: Json): Change[] {
  const out: Change[] = [];
  collect(base, value, "", out);
  return out;
}

/**
 * The document with all changes, one after the other. What they touch is copied once, however many touch it, so the work is linear in both;
 * `spend` is told of it: of entries that are copied or moved, and of steps of pointers.
 */
export function applyChanges(base: Json, changes: readonly Change[], spend: (steps: number) => void = () => {}): Json {
  const copies = new Set<Json>();
  const copyOf = (value: Json | undefined) => {
    const copy = Array.isArray(value) ? [...value] : isObject(value) ? { ...value } : {};
    if (value !== undefined) spend(Object.keys(copy).length);
    copies.add(copy);
    return copy;
  };
  let document = base;
  for (const [pointer, value] of changes) {
    const path = tokens(pointer);
    spend(path.length);
    const last = path.pop();
    if (last === undefined) document = value ?? null;
    else {
      if (!copies.has(document)) document = copyOf(document);
      let at = document as JsonObject | Json[];
      for (const token of path) {
        let inner = Object.hasOwn(at, token) ? (at as JsonObject)[token] : undefined;
        if (inner === undefined || !copies.has(inner)) {
          inner = copyOf(inner);
          put(at, token, inner, spend);
        }
        at = inner as JsonObject | Json[];
      }
      put(at, last, value, spend);
    }
  }
  return document;
}
