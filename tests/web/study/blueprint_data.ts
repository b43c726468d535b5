/** The published blueprint, as the project holds it. */
import { readFileSync } from "node:fs";
import type { Blueprint } from "../../../web/src/study/blueprint.ts";

const file = new URL("../../../core/study/data/blueprints/nca-aiio.json", import.meta.url);
export const kBlueprint = JSON.parse(readFileSync(file, "utf8")) as Blueprint;
