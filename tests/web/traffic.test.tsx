/** Traffic on the page: what each choice writes into a request, the sliders of the hours, the question for a plan's day, and its picture. */
import { readFileSync } from "node:fs";
import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import { kIdleController } from "../../web/src/controller.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { PageContext } from "../../web/src/page.ts";
import { dayRequest } from "../../web/src/screens/by_hand.ts";
import { HourBars } from "../../web/src/screens/hour_bars.tsx";
import { DayPicture } from "../../web/src/screens/plan_day.tsx";
import {
  dayOf,
  hoursOf,
  kDays,
  kSharings,
  sharingOf,
  withHours,
  withPreset,
  withSharing,
} from "../../web/src/screens/traffic_choices.ts";
import { createState } from "../../web/src/state.ts";

const read = (file: string) => JSON.parse(readFileSync(new URL(`../golden/${file}.json`, import.meta.url), "utf8"));
const kChat: JsonObject = { type: "serving", input_tokens: 2048, output_tokens: 512, mean_requests_per_s: 30 };

describe("a sharing", () => {
  it.each(Object.keys(kSharings) as (keyof typeof kSharings)[])("%s is known again", (id) => {
    expect(sharingOf(withSharing(kChat, id))).toBe(id);
  });

  it("leaves the rest of the traffic, and takes back what another has set", () => {
    const bursts = { ...kChat, traffic: { dispersion: 4 } };
    const tenants = withSharing(bursts, "tenants");
    expect(tenants.traffic).toEqual({ dispersion: 4, ...kSharings.tenants.traffic });
    expect(withSharing(tenants, "nothing")).toEqual(bursts);
    expect(withSharing(withSharing(kChat, "chats"), "nothing")).toEqual(kChat);
  });

  it("is none of the list once a number is changed", () => {
    expect(sharingOf({ ...kChat, traffic: { ...kSharings.chats.traffic, turns: 9 } })).toBeUndefined();
  });
});

describe("a published trace", () => {
  const lengths = { input_tokens: 2048, output_tokens: 512 };
  const agents = withPreset(withHours(withSharing(kChat, "agents"), kDays.office), "some-trace", lengths);

  it("gives lengths, sharing and hours in place of those of the request", () => {
    expect(agents).toEqual({ type: "serving", traffic: { preset: "some-trace" } });
  });

  it("leaves what is chosen after it, and gives the lengths back", () => {
    const evening = withHours(agents, kDays.evening);
    expect(withPreset(evening, undefined, lengths)).toEqual({
      type: "serving",
      ...lengths,
      traffic: { hours: kDays.evening },
    });
  });
});

describe("a day", () => {
  it("has 24 hours, and the mean rate is theirs", () => {
    const office = withHours(kChat, kDays.office);
    expect(hoursOf(office)).toHaveLength(24);
    expect(office.mean_requests_per_s).toBeUndefined();
    expect([kChat, office].map(dayOf)).toEqual(["mean", "office"]);
    expect(dayOf(withHours(office, undefined))).toBe("same");
    // A load in users has its mean by a ratio, which goes too.
    const { mean_requests_per_s: _mean, ...rest } = kChat;
    const users = { ...rest, users: 1000, peak_over_mean: 1.67 };
    expect(dayOf(users)).toBe("mean");
    expect(withHours(users, kDays.office)).not.toHaveProperty("peak_over_mean");
    expect(withPreset(users, "some-trace", {})).not.toHaveProperty("peak_over_mean");
    expect(withHours(office, undefined).traffic).toBeUndefined();
    expect(dayOf(withHours(office, kDays.office.with(3, 9)))).toBe("own");
  });

  it("is drawn as sliders that say their hour and their number", () => {
    const html = renderToString(<HourBars hours={kDays.evening} change={() => undefined} />);
    expect(html.match(/<input type="range"/g)).toHaveLength(24);
    expect(html).toMatch(/aria-label="20:00"[^>]*aria-valuetext="10"/);
  });
});

describe("the question for a plan's day", () => {
  const request: JsonObject = read("requests/plan_chat");
  const answer: PlanAnswer = read("answers/plan_chat");
  const question = dayRequest({ request, answer, place: "/plans/0", index: 0 });
  const layout = answer.plans?.[0]?.layouts?.[0];

  it("has the plan's deployment and the workload's requests at the rate of the estimate", () => {
    expect(question).toMatchObject({ kind: "replay", whole_day: true, gpu_count: layout?.gpu_count });
    expect(question?.parallelism).toEqual(layout?.parallelism);
    const [workload] = request.workloads as JsonObject[];
    expect(question?.model).toEqual(workload?.model);
    expect(question?.load).toEqual({ request_rate_per_s: workload?.peak_requests_per_s });
  });

  it("is not asked of pools", () => {
    const pooled = structuredClone(answer);
    for (const one of pooled.plans?.[0]?.layouts ?? []) one.pools = { prefill: {}, decode: {} };
    expect(dayRequest({ request, answer: pooled, place: "/plans/0", index: 0 })).toBeUndefined();
  });
});

describe("the picture of a day", () => {
  const answer: PlanAnswer & { hours_of_day: { gpus_at_work: number }[] } = read("answers/replay_day");
  const state = createState(
    { preset: {}, answer, models: [], gpus: [], verbs: {} },
    { screen: "plan", explain: "never" },
  );
  const html = renderToString(
    <PageContext.Provider value={{ state, controller: kIdleController }}>
      <DayPicture />
    </PageContext.Provider>,
  );

  it("has a bar for each hour, and lines of three percentiles", () => {
    expect(answer.hours_of_day).toHaveLength(24);
    // Load, GPUs, requests in flight and what the cache finds; first tokens and tokens.
    expect(html.match(/<rect /g)).toHaveLength(4 * 24);
    expect(html.match(/<g transform="translate/g)).toHaveLength(2 * 3 * 24);
  });

  it("is said in words to who does not see it", () => {
    expect(html).toMatch(
      /aria-label="[^"]+ by hour of the day: least [\d.]+[^"]* at \d+:00, most [\d.]+[^"]* at \d+:00/,
    );
    expect(html).not.toContain("undefined");
  });
});
