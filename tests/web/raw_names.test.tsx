/** What the plan's area says is in words: no name of a field as the request writes it, and no path of a document. */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { pointerOf } from "../../web/src/screens/open_input.ts";
import type { Field } from "../../web/src/screens/requests.ts";
import { kAskedFor } from "../../web/src/views/sentence.tsx";
import { hasProgram, schemaOf } from "./ask_native.ts";
import { areasOf, stateOf } from "./drawn_areas.tsx";
import { loaded } from "./loaded.ts";

// Parts that a reader opens stand open.
vi.mock("../../web/src/views/fold.tsx", async (original) => ({
  ...(await original<typeof import("../../web/src/views/fold.tsx")>()),
  Disclosure: ({ children }: { children: () => preact.ComponentChildren }) => <div>{children()}</div>,
}));

const kAnswers = new URL("../golden/answers/", import.meta.url);
const plans = readdirSync(kAnswers)
  .filter((file) => file.startsWith("plan_"))
  .map((file) => [file, JSON.parse(readFileSync(new URL(file, kAnswers), "utf8")) as PlanAnswer] as const);

/** A key of a request or of an answer, or a page of the documents. */
const kRaw = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\bdocs\//;
/** Every sentence of an answer: messages, and texts of several words. */
function sentencesOf(value: unknown): string[] {
  if (typeof value === "string") return value.includes(" ") ? [value] : [];
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, part]) => (key === "trace" ? [] : sentencesOf(part)))
    : [];
}

/** Names that others gave: machines of a cloud. */
const kNamesOfOthers = /\bgpu_\d+x_\w+/g;

describe("every golden plan", () => {
  beforeAll(async () => {
    vi.stubGlobal("location", { origin: "", pathname: "/", hash: "" });
    await loaded();
  });

  it.skipIf(!hasProgram)("asks for fields that the form has", async () => {
    const schema = (await schemaOf("plan")) as Field;
    const sentences = plans.flatMap(([, answer]) => sentencesOf(answer));
    const named = new Set(sentences.flatMap((text) => text.match(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g) ?? []));
    const request = { workloads: [{ type: "serving" }, { type: "training" }] };
    const inputs = [...named].filter((name) => pointerOf(schema, request, name) !== undefined);
    expect(inputs.sort()).toEqual([...kAskedFor]);
  });

  it.each(plans)("is said in words: %s", (_, answer) => {
    const { request = {} } = answer as { request?: JsonObject };
    const areas = areasOf(stateOf({ models: [], gpus: [] }, request, answer));
    const raw = Object.entries(areas).flatMap(([area, html]) =>
      html
        .replaceAll(/<(pre|code)\b.*?<\/\1>/gs, "")
        .split(/<[^>]*>/)
        .filter((text) => kRaw.test(text.replaceAll(kNamesOfOthers, "")))
        .map((text) => `${area}: ${text}`),
    );
    expect(raw).toEqual([]);
  });
});
