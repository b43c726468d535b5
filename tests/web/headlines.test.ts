/** One number, one text: what the engine writes of a plan's headlines is what the page shows at their places. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { HeadlineNumber, Message, PlanAnswer, ShownNumber } from "../../web/src/contract.ts";
import { currency, kUsd } from "../../web/src/currency.ts";
import { figureText, keyOf, phrase, usdText } from "../../web/src/format.ts";
import { numberAt } from "../../web/src/json.ts";
import { showIn } from "../../web/src/money.ts";
import { isMessage, translated } from "../../web/src/translation.ts";
import { quantityOf, shownNumber, typedNumber } from "../../web/src/views/quantity.ts";

const folder = fileURLToPath(new URL("../golden/answers/", import.meta.url));
const answers = readdirSync(folder)
  .filter((file) => file.startsWith("plan_"))
  .map((file): [string, PlanAnswer] => [file, JSON.parse(readFileSync(folder + file, "utf8"))]);

const kNumbers = ["value", "low", "high", "target", "probability"] as const;

/** What a plan's cost and its GPUs are over or of is said by the label. */
function textAt(plan: unknown, { place }: ShownNumber, { id }: HeadlineNumber): string | undefined {
  const value = numberAt(plan, place);
  if (value === undefined) return undefined;
  const text = figureText(keyOf(place), value, "GiB");
  return id === "cost_per_year" ? text.value : phrase(text);
}

afterEach(() => showIn("USD"));

describe("headlines of the golden plans", () => {
  it.each(answers)("%s", (_, answer) => {
    for (const plan of answer.plans ?? []) {
      for (const headline of plan.headlines ?? []) {
        for (const key of kNumbers) {
          const number = headline[key];
          if (number === undefined) continue;
          const shown = textAt(plan, number, headline);
          // A target may be a number of the request, which a golden answer does not hold.
          if (shown === undefined)
            expect([key, /^\/(constraints|workloads)\//.test(number.place)]).toEqual(["target", true]);
          else expect(shown, `${headline.id} ${key} ${number.place}`).toBe(number.text);
        }
      }
    }
  });

  it("are there for every plan, with an interval wherever the engine knows one", () => {
    const all = answers.flatMap(([, { plans = [] }]) => plans);
    expect(all.length).toBeGreaterThan(20);
    for (const { headlines = [] } of all) expect(headlines.map(({ id }) => id)).toContain("gpus");
    const latencies = all.flatMap(({ headlines = [] }) => headlines).filter(({ id }) => id === "first_token");
    expect(latencies.filter(({ low, high }) => low !== undefined && high !== undefined).length).toBe(latencies.length);
  });
});

/** Every sentence of an answer that has its values beside it. */
function sentencesOf(value: unknown): Message[] {
  if (typeof value !== "object" || value === null) return [];
  return [...(isMessage(value) ? [value] : []), ...Object.values(value).flatMap(sentencesOf)];
}

describe("another currency", () => {
  it("changes amounts and sentences, and says the same in dollars as the engine", () => {
    const all = answers.flatMap(([, answer]) => sentencesOf(answer)).filter(({ message }) => message.includes("$"));
    expect(all.length).toBeGreaterThan(50);
    showIn("EUR");
    expect(usdText(1000)).toBe("€868.40");
    expect(usdText(-2e6)).toBe("−€1.74 million");
    const inEuro = all.map(translated);
    for (const text of inEuro) expect(text).not.toContain("$");
    // With the euro at one dollar the page's sentences are the engine's own.
    currency.value = { ...kUsd, id: "EUR" };
    for (const one of all) expect(translated(one)).toBe(one.message);
  });

  it("is typed with its sign or its code, and shown in the currency chosen", () => {
    const budget = () => quantityOf("budget_usd");
    expect(typedNumber("1.5M EUR", budget())).toEqual({ value: 1_727_314.60157 });
    expect(typedNumber("€1.5M", budget())).toEqual(typedNumber("1.5M euros", budget()));
    expect(typedNumber("1.5M", budget())).toEqual({ value: 1_500_000 });
    expect(typedNumber("10 CHF", budget())).toEqual({ problem: "currency", unit: "CHF" });
    showIn("EUR");
    expect(typedNumber("1.5M", budget())).toEqual({ value: 1_727_314.60157 });
    expect(typedNumber("$1.5M", budget())).toEqual({ value: 1_500_000 });
    expect(shownNumber(1_727_314.60157, budget())).toBe("1.5M");
    showIn("JPY");
    expect(typedNumber("¥100", budget())).toEqual(typedNumber("100 yen", budget()));
  });
});
