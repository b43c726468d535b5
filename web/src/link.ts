/**
 * The page's state in the link: `#/<screen>?s=1.<payload>&p=<plan>&v=<version>&c=<currency>`, without a screen for the plan and
 * without a currency for US dollars (route.ts).
 * The payload is a digit for the scheme (0 plain, 1 deflated) and base64url of the list of changes against the preset. The
 * shorter scheme is taken. The part after `#` never leaves the browser.
 */
import { applyChanges, type Change, canonical, changesBetween, isObject, type Json } from "./json.ts";
import { withoutCurrency } from "./route.ts";

const kMaxPayloadLength = 32_768;
const kMaxTextBytes = 262_144;

/** `plan` is the place of the plan on show, first is 0; `madeWith` names engine and catalog. */
export interface LinkState {
  request: Record<string, Json>;
  plan: number;
  madeWith?: string;
}
export type LinkResult = { kind: "preset" } | ({ kind: "state" } & LinkState) | { kind: "unreadable" };

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new SyntaxError("not base64url");
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

async function piped(
  bytes: Uint8Array<ArrayBuffer>,
  through: GenericTransformStream,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = (new Blob([bytes]).stream().pipeThrough(through) as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new RangeError("too long");
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

async function decodePayload(payload: string): Promise<Change[]> {
  if (payload.length > kMaxPayloadLength) throw new RangeError("too long");
  let bytes = fromBase64Url(payload.slice(1));
  if (payload[0] === "1") bytes = await piped(bytes, new DecompressionStream("deflate-raw"), kMaxTextBytes);
  else if (payload[0] !== "0") throw new SyntaxError("unknown scheme");
  const changes: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (!Array.isArray(changes) || !changes.every(isChange)) throw new SyntaxError("not a list of changes");
  return changes;
}

function isChange(value: unknown): value is Change {
  if (!Array.isArray(value) || value.length < 1 || value.length > 2) return false;
  const pointer: unknown = value[0];
  return typeof pointer === "string" && (pointer === "" || pointer.startsWith("/"));
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

/** Reads a hash. Never throws: whatever is not a state of ours is `unreadable`. */
export async function decodeLink(preset: Json, hash: string): Promise<LinkResult> {
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
      request = applyChanges(preset, await decodePayload(stored.slice(2)));
      canonical(request);
    }
    if (!isObject(request)) return { kind: "unreadable" };
    if (place !== null && !/^[1-9]\d{0,2}$/.test(place)) return { kind: "unreadable" };
    const madeWith = fields.get("v") ?? undefined;
    return { kind: "state", request, plan: place === null ? 0 : Number(place) - 1, madeWith };
  } catch {
    return { kind: "unreadable" };
  }
}
