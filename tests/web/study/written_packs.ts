/** The written questions of the data. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { WrittenPack } from "../../../web/src/study/pack.ts";

const folder = fileURLToPath(new URL("../../../core/study/data/written/", import.meta.url));

export const readWrittenPacks = (): WrittenPack[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(`${folder}${name}`, "utf8")) as WrittenPack);
