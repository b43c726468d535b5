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
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
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
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function changed(document: Json, path: string[], value: Json | undefined): Json | undefined {
  const [token, ...rest] = path;
  if (token === undefined) return value;
  if (Array.isArray(document)) {
    const index = /^\d+$/.test(token) ? Number(token) : Number.NaN;
    if (!(index < document.length)) throw new RangeError(`no element ${token}`);
    const item = changed(document[index] ?? null, rest, value);
    return document.flatMap((old, i) => (i === index ? (item === undefined ? [] : [item]) : [old]));
  }
  const copy: JsonObject = {};
  const source = isObject(document) ? document : {};
  for (const key of Object.keys(source)) define(copy, key, source[key] ?? null);
  const inner = Object.hasOwn(source, token) ? (source[token] ?? null) : {};
  const item = changed(inner, rest, value);
  if (item === undefined) delete copy[token];
  else define(copy, token, item);
  return copy;
}

/** A copy of the document with one value set, or removed where `value` is undefined. Missing objects on the way are made. */
export function withValue(document: Json, pointer: string, value: Json | undefined): Json {
  return changed(document, tokens(pointer), value) ?? null;
}

export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = {};
  if (isObject(target)) for (const key of Object.keys(target)) define(result, key, target[key] ?? null);
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

export function applyChanges(base: Json, changes: readonly Change[]): Json {
  return changes.reduce((document, [pointer, value]) => withValue(document, pointer, value), base);
}
