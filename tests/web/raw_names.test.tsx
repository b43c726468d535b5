/** What the plan's area says is in words: no name of a field as the request writes it, and no path of a document. */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import type { JsonObject } from "../../web/src/json.ts";
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
/** Names that others gave: machines of a cloud. */
const kNamesOfOthers = /\bgpu_\d+x_\w+/g;

describe("every golden plan", () => {
  beforeAll(async () => {
    vi.stubGlobal("location", { origin: "", pathname: "/", hash: "" });
    await loaded();
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
