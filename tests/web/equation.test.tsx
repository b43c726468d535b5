import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { readEquation } from "../../web/src/equation.ts";
import { Equation } from "../../web/src/views/equation.tsx";

/** The drawn text without the marks that only place it. */
const drawn = (text: string, values: Record<string, string[]> = {}) =>
  renderToString(<Equation text={text} naming={(name) => values[name] ?? [name]} />).replace(
    /<\/?(math|mrow|mo|mi|mn|mtext)[^>]*>/g,
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
    expect(drawn("a - (b - c)")).toBe("a−(b−c)");
    expect(drawn("(a + b) * c")).toBe("(a+b)×c");
    expect(drawn("-(a + b)")).toBe("−(a+b)");
    expect(drawn("2 ^ (a + 1)")).toBe("<msup>2a+1</msup>");
    expect(drawn("max(a, 1.5e3)")).toBe("max(a,1.5e3)");
  });

  it("puts values in the places of names, and each part of a sum", () => {
    expect(drawn("payload / bandwidth", { payload: ["4 GB"], bandwidth: ["2 GB/s"] })).toBe(
      "<mfrac>4 GB2 GB/s</mfrac>",
    );
    expect(drawn("sum(parts)", { parts: ["1 s", "2 s"] })).toBe("1 s+2 s");
  });

  it("falls back to the text", () => {
    expect(drawn("see the page")).toBe("<code>see the page</code>");
  });
});
