import { describe, expect, it } from "vitest";
import {
  applyChanges,
  canonical,
  changesBetween,
  type Json,
  mergePatch,
  valueAt,
  withValue,
} from "../../web/src/json.ts";

describe("pointers", () => {
  const document: Json = { a: [{ "b/c": 1, "d~e": null }], x: "y" };

  it("reads what is there and only that", () => {
    expect(valueAt(document, "/a/0/b~1c")).toBe(1);
    expect(valueAt(document, "/a/0/d~0e")).toBe(null);
    expect(valueAt(document, "")).toBe(document);
    expect(valueAt(document, "/a/1")).toBeUndefined();
    expect(valueAt(document, "/x/length")).toBeUndefined();
    expect(valueAt(document, "/constructor")).toBeUndefined();
  });

  it("sets and removes in a copy", () => {
    expect(withValue(document, "/a/0/b~1c", 2)).toEqual({ a: [{ "b/c": 2, "d~e": null }], x: "y" });
    expect(withValue(document, "/x", undefined)).toEqual({ a: document.a });
    expect(withValue(document, "/new/deep", 1)).toEqual({ ...document, new: { deep: 1 } });
    expect(() => withValue(document, "/a/7", 1)).toThrow(RangeError);
    expect(document.x).toBe("y");
  });

  it("never touches a prototype", () => {
    const changed = withValue({}, "/__proto__/polluted", true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(changed as object)).toEqual(["__proto__"]);
  });
});

describe("mergePatch", () => {
  it("follows the examples of RFC 7396", () => {
    const examples: [Json, Json, Json][] = [
      [{ a: "b" }, { a: "c" }, { a: "c" }],
      [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
      [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
      [{ a: ["b"] }, { a: "c" }, { a: "c" }],
      [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
      [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
      [
        ["a", "b"],
        ["c", "d"],
        ["c", "d"],
      ],
      [{ e: null }, { a: 1 }, { e: null, a: 1 }],
      [[1, 2], { a: "b", c: null }, { a: "b" }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ];
    for (const [target, patch, result] of examples) expect(mergePatch(target, patch)).toEqual(result);
  });
});

describe("changes", () => {
  it("are few, ordered and exact", () => {
    const base: Json = { b: [{ x: 1, y: 2 }], a: 1, gone: null };
    const value: Json = { b: [{ x: 1, y: 3 }], a: [1], z: null };
    const changes = changesBetween(base, value);
    expect(changes).toEqual([["/a", [1]], ["/b/0/y", 3], ["/gone"], ["/z", null]]);
    expect(canonical(applyChanges(base, changes))).toBe(canonical(value));
    expect(changesBetween(base, { ...base })).toEqual([]);
  });
});
