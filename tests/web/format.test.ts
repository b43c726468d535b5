import { describe, expect, it } from "vitest";
import {
  fieldText,
  figureText,
  numberText,
  phrase,
  roundedMemoryParts,
  traceText,
  usdText,
} from "../../web/src/format.ts";
import { randomFrom } from "./random_json.ts";

const text = (key: string, value: number, unit: "GB" | "GiB" = "GB") => phrase(figureText(key, value, unit));

describe("numberText", () => {
  it("writes counts in full and other numbers with three digits", () => {
    expect([0, 16, 812345, 0.5, 42.06, 1234.6, 5e7, 7.06e10].map(numberText)).toEqual([
      "0",
      "16",
      "812,345",
      "0.5",
      "42.1",
      "1,235",
      "50 million",
      "70.6 billion",
    ]);
  });
});

describe("digits", () => {
  /** As the browser's formatter for English writes them, with the rounding of the engine: exact halves to the even digit. */
  const formatter = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat("en", { ...options, roundingMode: "halfEven" } as Intl.NumberFormatOptions);
  const cents = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const three = formatter({ maximumSignificantDigits: 3 });
  const inWords = formatter({ notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3 });

  it("are those of the browser's formatter", () => {
    const random = randomFrom(5);
    const drawn = Array.from({ length: 20_000 }, () => random() * 10 ** Math.floor(random() * 26 - 9));
    // Halves that a binary number holds exactly.
    const halves = Array.from({ length: 2000 }, (_, i) => (i * 2 + 1) / 8);
    const edges = [0, 1000, 1e6, 1e9, 99_960_000, 999_499_999, 999_600_000, 1e13, 2 ** 53, 1e21];
    for (const value of [...drawn, ...halves, ...edges]) {
      const millions = Number(value.toPrecision(3));
      if (value >= 0.1 && value < 1000) expect(usdText(value)).toBe(`$${cents.format(value)}`);
      if (value >= 1000 && millions < 1e6) expect(usdText(value)).toBe(`$${three.format(value)}`);
      if (value > 0 && value < 0.1) expect(usdText(value)).toBe(`$${three.format(value)}`);
      if (millions >= 1e6 && millions < 1e15) expect(usdText(value)).toBe(`$${inWords.format(value)}`);
      if (value >= 1e7 && value < 1e15) expect(numberText(value)).toBe(inWords.format(value));
      expect(numberText(-value)).toBe(value === 0 ? "-0" : `-${numberText(value)}`);
      expect(text("mfu", value)).toBe(`${three.format(value * 100)} %`);
    }
  });
});

describe("figureText", () => {
  it("takes the unit from the end of the key", () => {
    expect(text("ttft_s", 0.4826)).toBe("483 ms");
    expect(text("ttft_s_p95", 2)).toBe("2 s");
    expect(text("request_s", 6020)).toBe("100 min");
    expect(text("bytes_per_token", 163840)).toBe("164 kB");
    expect(text("requests_per_s", 53.27)).toBe("53.3 requests/s");
    expect(text("output_tokens_per_s_per_gpu", 2560)).toBe("2,560 tokens/s per GPU");
    expect(text("it_power_kw", 10.2)).toBe("10.2 kW");
    expect(text("capacity_tokens", 812345)).toBe("812,345 tokens");
    expect(text("mfu", 0.4231)).toBe("42.3 %");
    expect(text("gpu_count", 16)).toBe("16");
  });

  it("writes money by its size and names what it is per", () => {
    expect(text("usd_per_million_output_tokens", 0.6149)).toBe("$0.61 per million output tokens");
    expect(text("usd_per_gpu_hour", 3.99)).toBe("$3.99 per GPU-hour");
    expect(text("servers_usd_low", 285000)).toBe("$285,000");
    expect([0, 0.0123, 12_345_678, -5].map(usdText)).toEqual(["$0.00", "$0.0123", "$12.3 million", "−$5.00"]);
  });

  it("shows GPU memory in GB unless GiB is asked for", () => {
    expect(text("total_gib", 74.5)).toBe("80.0 GB");
    expect(text("total_gib", 74.5, "GiB")).toBe("74.5 GiB");
    expect(text("memory_gb", 80)).toBe("80.0 GB");
    expect(figureText("total_gib", 74.5).exact).toBe("total_gib = 74.5");
  });
});

describe("traceText", () => {
  it("reads the unit signs of the core", () => {
    const all: [number, string][] = [
      [141e9, "B"],
      [4.8e12, "B/s"],
      [0.0118, "s"],
      [989e12, "FLOP/s"],
      [50, "1/s"],
      [8, "1"],
      [3.99 / 3600, "USD/s"],
      [700, "W"],
    ];
    expect(all.map(([value, unit]) => phrase(traceText(value, unit)))).toEqual([
      "141 GB",
      "4.8 TB/s",
      "11.8 ms",
      "989 TFLOP/s",
      "50 /s",
      "8",
      "$3.99 per hour",
      "700 W",
    ]);
  });
});

describe("roundedMemoryParts", () => {
  it("adds up to the rounded total", () => {
    for (let seed = 1; seed < 500; seed += 1) {
      const parts = [0, 1, 2, 3].map((i) => ((seed * 7919 * (i + 3)) % 9973) / 100);
      const total = parts.reduce((sum, part) => sum + part, 0);
      for (const unit of ["GB", "GiB"] as const) {
        const tenths = roundedMemoryParts(parts, total, unit).map((part) =>
          Math.round(Number(part.replace(",", "")) * 10),
        );
        const whole = Number(figureText("total_gib", total, unit).value.replace(",", ""));
        expect(tenths.reduce((sum, part) => sum + part, 0)).toBe(Math.round(whole * 10));
      }
    }
  });

  it("leaves parts alone that are not parts of the total", () => {
    expect(roundedMemoryParts([1, 2], 50, "GiB")).toEqual(["1.0", "2.0"]);
  });
});

describe("fieldText", () => {
  it("has no grouping and no noise", () => {
    expect([2048, 0.05 * 1000, 0.1 + 0.2].map(fieldText)).toEqual(["2048", "50", "0.3"]);
  });
});
