/** Profiles that people keep in this browser. They are larger than what local storage takes, so a database holds them. */
import { signal } from "@preact/signals";
import { isObject, type JsonObject } from "../json.ts";

export interface KeptHost {
  name: string;
  digest: string;
  /** Day it was measured or, where the profile does not tell, empty: `2026-01-31`. */
  measured: string;
  /** "2 × NVIDIA H100 80GB HBM3" */
  devices: string;
  profile: JsonObject;
}

const kDatabase = "podwright hosts";
const kTable = "hosts";

export const hosts = signal<readonly KeptHost[]>([]);

function isHost(value: unknown): value is KeptHost & JsonObject {
  return (
    isObject(value) &&
    ["name", "digest", "measured", "devices"].every((key) => typeof value[key] === "string") &&
    isObject(value.profile)
  );
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(kDatabase, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(kTable, { keyPath: "name" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

/** Runs one step on the table; false where the browser refuses. */
async function onTable<Result>(
  mode: IDBTransactionMode,
  step: (table: IDBObjectStore) => IDBRequest<Result>,
): Promise<{ value: Result } | undefined> {
  try {
    const database = await opened();
    try {
      return await new Promise((resolve, reject) => {
        const change = database.transaction(kTable, mode);
        const request = step(change.objectStore(kTable));
        change.oncomplete = () => resolve({ value: request.result });
        change.onerror = change.onabort = () => reject(change.error);
      });
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

let loaded = false;

/** What was kept before; entries that are no hosts are left out. */
export async function loadHosts(): Promise<void> {
  if (loaded) return;
  loaded = true;
  const found = await onTable("readonly", (table) => table.getAll() as IDBRequest<unknown[]>);
  const known = new Set(hosts.value.map(({ name }) => name));
  hosts.value = [...(found?.value ?? []).filter(isHost).filter(({ name }) => !known.has(name)), ...hosts.value];
}

/**
 * True where the browser has kept it. The list on show is right either way, and tells of nothing before it is kept: a reload would take it
 * back. A host of the same name is replaced.
 */
export async function keepHost(host: KeptHost): Promise<boolean> {
  const kept = await onTable("readwrite", (table) => table.put(host));
  hosts.value = [...hosts.value.filter(({ name }) => name !== host.name), host];
  return kept !== undefined;
}

export async function removeHost(name: string): Promise<void> {
  await onTable("readwrite", (table) => table.delete(name));
  hosts.value = hosts.value.filter((host) => host.name !== name);
}

/** "2 × NVIDIA H100 80GB HBM3": devices of a profile by name. */
export function devicesText(profile: JsonObject): string {
  const devices = Array.isArray(profile.devices) ? profile.devices.filter(isObject) : [];
  const counts = new Map<string, number>();
  for (const { name, kind, id } of devices) {
    const text = String(name ?? kind ?? id ?? "");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(", ");
}

/** The text that a kept profile has as a file; indented, so that the reader checks its values and not its bytes. */
export function fileText(profile: JsonObject): string {
  return `${JSON.stringify(profile, null, 2)}\n`;
}

/** A profile as an entry of the list. */
export function hostOf(name: string, profile: JsonObject): KeptHost {
  const digest = isObject(profile.integrity) ? String(profile.integrity.digest ?? "") : "";
  const started = isObject(profile.run) ? String(profile.run.started ?? "") : "";
  return { name, digest, measured: started.slice(0, 10), devices: devicesText(profile), profile };
}
