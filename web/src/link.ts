/**
 * The page's state in the link: `#/<screen>?s=1.<payload>&p=<plan>&v=<version>&c=<currency>`, without a screen for the plan and
 * without a currency for US dollars (route.ts).
 * The payload is a digit for the scheme (0 plain, 1 deflated) and base64url of the list of changes against the preset. The
 * shorter scheme is taken. The part after `#` never leaves the browser.
 */
import { applyChanges, type Change, canonical, changesBetween, isObject, type Json } from "./json.ts";
import { withoutCurrency } from "./route.ts";

/** Of an address, in characters; of what it unpacks to, in bytes; of the values in that, and of one inside another; of what `applyChanges` counts. */
const kLongest = 65_536;
const kMostBytes = 131_072;
const kSlice = 1024;
const kMostValues = 10_000;
const kDeepest = 64;
const kMostSteps = 20_000;

/** `plan` is the place of the plan on show, first is 0; `madeWith` names engine and catalog. */
export interface LinkState {
  request: Record<string, Json>;
  plan: number;
  madeWith?: string;
}
export type LinkResult = { kind: "preset" } | ({ kind: "state" } & LinkState) | { kind: "unreadable" };

type Spend = (steps: number) => void;

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new SyntaxError();
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function piped(
  bytes: Uint8Array<ArrayBuffer>,
  through: GenericTransformStream,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // A browser unpacks all that it is given at once, and only then asks whether anyone wants it.
  let given = 0;
  const source = new ReadableStream<Uint8Array>({
    pull(into) {
      if (given >= bytes.length) return into.close();
      into.enqueue(bytes.subarray(given, given + kSlice));
      given += kSlice;
    },
  });
  const reader = (source.pipeThrough(through) as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new RangeError();
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function encodePayload(changes: Change[]): Promise<string> {
  const bytes = new TextEncoder().encode(canonical(changes as Json));
  const plain = `0${toBase64Url(bytes)}`;
  if (typeof CompressionStream === "undefined") return plain;
  const deflated = await piped(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY);
  const packed = `1${toBase64Url(deflated)}`;
  return packed.length < plain.length ? packed : plain;
}

function budget(left: number, told: Spend): Spend {
  let rest = left;
  return (steps) => {
    rest -= steps;
    if (rest < 0) throw new RangeError();
    told(steps);
  };
}

async function decodePayload(payload: string, told: Spend): Promise<Change[]> {
  let bytes = fromBase64Url(payload.slice(1));
  if (payload[0] === "1") bytes = await piped(bytes, new DecompressionStream("deflate-raw"), kMostBytes);
  else if (payload[0] !== "0") throw new SyntaxError();
  const changes: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  count(changes, 0, budget(kMostValues, told));
  if (!Array.isArray(changes) || !changes.every(isChange)) throw new SyntaxError();
  return changes;
}

/** Counts values, and refuses too deep ones. */
function count(value: unknown, depth: number, spend: Spend): void {
  spend(1);
  if (depth > kDeepest) throw new RangeError();
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) count(inner, depth + 1, spend);
}

function isChange(value: unknown): value is Change {
  if (!Array.isArray(value) || value.length < 1 || value.length > 2) return false;
  const pointer: unknown = value[0];
  return typeof pointer === "string" && /^(?:\/[^/]*){0,64}$/.test(pointer);
}

/** The hash of a state of the screen at `path`; for the preset itself the bare path, which is empty for the first screen. */
export async function encodeLink(preset: Json, state: LinkState, path = "/"): Promise<string> {
  const changes = changesBetween(preset, state.request);
  const parts: string[] = [];
  if (changes.length > 0) parts.push(`s=1.${await encodePayload(changes)}`);
  if (state.plan > 0) parts.push(`p=${state.plan + 1}`);
  if (parts.length === 0) return path === "/" ? "" : `#${path}`;
  if (state.madeWith !== undefined) parts.push(`v=${encodeURIComponent(state.madeWith)}`);
  return `#${path}?${parts.join("&")}`;
}

/** Reads a hash; `told` hears of the work, in values and in steps of changes. Never throws: whatever is not a state of ours or longer than one is, is `unreadable`. */
export async function decodeLink(preset: Json, hash: string, told: Spend = () => {}): Promise<LinkResult> {
  if (hash.length > kLongest) return { kind: "unreadable" };
  const text = withoutCurrency(hash).replace(/^#/, "");
  if (text === "" || /^\/[a-z]*$/.test(text)) return { kind: "preset" };
  try {
    const query = /^\/[a-z/]*\?(.*)$/.exec(text)?.[1];
    if (query === undefined) return { kind: "unreadable" };
    const fields = new URLSearchParams(query);
    const stored = fields.get("s");
    const place = fields.get("p");
    if (stored === null && place === null) return { kind: "unreadable" };
    let request = preset;
    if (stored !== null) {
      if (!stored.startsWith("1.")) return { kind: "unreadable" };
      request = applyChanges(preset, await decodePayload(stored.slice(2), told), budget(kMostSteps, told));
    }
    if (!isObject(request)) return { kind: "unreadable" };
    if (place !== null && !/^[1-9]\d{0,2}$/.test(place)) return { kind: "unreadable" };
    const madeWith = fields.get("v") ?? undefined;
    return { kind: "state", request, plan: place === null ? 0 : Number(place) - 1, madeWith };
  } catch {
    return { kind: "unreadable" };
  }
}
