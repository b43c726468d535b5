import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { readEquation } from "../../web/src/equation.ts";
import { Equation } from "../../web/src/views/equation.tsx";

/** The drawn text without the marks that only place it. */
const drawn = (text: string, values: Record<string, string[]> = {}) =>
  renderToString(<Equation text={text} naming={(name) => values[name] ?? [name]} />).replace(
    /<\/?(math|mrow|mo|mi|mn|p|span)\b[^>]*>/g,
    "",
  );

describe("readEquation", () => {
  it("binds as arithmetic does", () => {
    expect(readEquation("a - b - c")).toEqual({
      kind: "binary",
      operator: "-",
      left: { kind: "binary", operator: "-", left: { kind: "name", name: "a" }, right: { kind: "name", name: "b" } },
      right: { kind: "name", name: "c" },
    });
  });

  it("refuses what it cannot read", () => {
    for (const text of ["", "a b", "a +", "(a", "f(a", "a $ b", ")", "2 = 2"])
      expect(readEquation(text)).toBeUndefined();
  });
});

describe("Equation", () => {
  it("draws fractions, roots and brackets", () => {
    expect(drawn("2 * (ranks - 1) / ranks")).toBe("<mfrac>2×(ranks−1)ranks</mfrac>");
    expect(drawn("ceil(a / b) + sqrt(c)")).toBe("⌈<mfrac>ab</mfrac>⌉+<msqrt>c</msqrt>");
    expect(drawn("a - (b - c)")).toBe("a −\u00a0(b −\u00a0c)");
    expect(drawn("(a + b) * c")).toBe("(a +\u00a0b) ×\u00a0c");
    expect(drawn("-(a + b)")).toBe("−(a +\u00a0b)");
    expect(drawn("a / (b * c)")).toBe("<mfrac>ab×c</mfrac>");
    expect(drawn("2 ^ (a + 1)")).toBe("<msup>2a+1</msup>");
    expect(drawn("max(a, 1.5e3)")).toBe("max(a, 1.5e3)");
  });

  it("puts values in the places of names, and each part of a sum", () => {
    expect(drawn("payload / bandwidth", { payload: ["4 GB"], bandwidth: ["2 GB/s"] })).toBe(
      "<mfrac>4 GB2 GB/s</mfrac>",
    );
    expect(drawn("sum(parts)", { parts: ["1 s", "2 s"] })).toBe("1 s + 2 s");
    expect(drawn("sum(parts)", { parts: [] })).toBe("0");
  });

  it("writes what is too wide for a drawing as a line that wraps", () => {
    expect(drawn("tokens_of_the_busiest_hour / (seconds_of_an_hour * replicas)")).toBe(
      "tokens_of_the_busiest_hour ÷\u00a0(seconds_of_an_hour ×\u00a0replicas)",
    );
    expect(drawn("(one_rather_long_name + another_long_name) ^ 2")).toBe(
      "(one_rather_long_name +\u00a0another_long_name)<sup>2</sup>",
    );
    expect(drawn("ceil(one_rather_long_name / another_long_name_of_them)")).toBe(
      "⌈one_rather_long_name ÷\u00a0another_long_name_of_them⌉",
    );
  });

  it("groups the digits of its numbers", () => {
    expect(drawn("a * 31536000 + 0.0002777777777777778")).toBe("a ×\u00a031,536,000 +\u00a00.00027778");
  });

  it("falls back to the text", () => {
    expect(drawn("see the page")).toBe("<code>see the page</code>");
  });
});
