/** One tab at a time: the first holds it, another can take it over, and a browser without locks lets every tab. */
import { describe, expect, it, vi } from "vitest";
import { type Locks, OneTab } from "../../../web/src/study/one_tab.ts";

interface Asked {
  run: () => void;
  fail: (error: unknown) => void;
}

/** Locks as browsers have them, of one name. */
function someLocks(): Locks {
  let held: Asked | undefined;
  const waiting: Asked[] = [];
  const next = () => {
    if (held === undefined) waiting.shift()?.run();
  };
  const request = (_: string, options: LockOptions, work: (lock: Lock | null) => unknown) =>
    new Promise((resolve, reject) => {
      const end = () => {
        if (held === own) held = undefined;
        next();
      };
      const own: Asked = {
        run() {
          held = own;
          Promise.resolve(work({ mode: "exclusive", name: "" })).then((value) => {
            end();
            resolve(value);
          }, reject);
        },
        fail: reject,
      };
      options.signal?.addEventListener("abort", () => {
        const place = waiting.indexOf(own);
        if (place < 0) return;
        waiting.splice(place, 1);
        reject(new DOMException("given up", "AbortError"));
      });
      if (options.steal === true) {
        const robbed = held;
        held = undefined;
        own.run();
        robbed?.fail(new DOMException("stolen", "AbortError"));
      } else {
        waiting.push(own);
        next();
      }
    });
  return { request } as unknown as Locks;
}

const becomes = (tab: OneTab, holding: OneTab["holding"]["value"]) =>
  vi.waitFor(() => expect(tab.holding.value).toBe(holding), 5000);

describe("one tab", () => {
  it("holds it, and the next is told that another does", async () => {
    const locks = someLocks();
    const first = new OneTab("x", () => undefined, locks);
    await becomes(first, "here");
    const second = new OneTab("x", () => undefined, locks);
    expect(second.holding.value).toBe("asking");
    await becomes(second, "elsewhere");
    expect(first.holding.value).toBe("here");
  });

  it("loses it to one that takes it, and is told before it says so", async () => {
    const locks = someLocks();
    const seen: string[] = [];
    const first: OneTab = new OneTab("x", () => seen.push(first.holding.value), locks);
    await becomes(first, "here");
    const second = new OneTab("x", () => seen.push("never"), locks);
    await becomes(second, "elsewhere");
    second.take();
    await becomes(second, "here");
    await becomes(first, "elsewhere");
    expect(seen).toEqual(["here"]);
    first.take();
    await becomes(first, "here");
    await becomes(second, "elsewhere");
  });

  it("has it when it asks again after the other has gone, and not by itself", async () => {
    const locks = someLocks();
    const first = new OneTab("x", () => undefined, locks);
    await becomes(first, "here");
    const second = new OneTab("x", () => undefined, locks);
    await becomes(second, "elsewhere");
    first.release();
    expect(second.holding.value).toBe("elsewhere");
    second.ask();
    await becomes(second, "here");
  });

  it("waits for a lock that is on its way out, as after a reload", async () => {
    const locks = someLocks();
    const before = new OneTab("x", () => undefined, locks);
    await becomes(before, "here");
    const after = new OneTab("x", () => undefined, locks);
    before.release();
    await becomes(after, "here");
  });

  it("takes nothing once it was released", async () => {
    const locks = someLocks();
    const first = new OneTab("x", () => undefined, locks);
    first.release();
    const second = new OneTab("x", () => undefined, locks);
    await becomes(second, "here");
    first.take();
    first.ask();
    expect(second.holding.value).toBe("here");
  });

  it("is every tab where there are no locks, or the browser refuses them", async () => {
    const lost = vi.fn();
    vi.stubGlobal("navigator", {});
    expect(new OneTab("x", lost).holding.value).toBe("here");
    vi.unstubAllGlobals();
    const refused = { request: () => Promise.reject(new DOMException("no", "SecurityError")) } as unknown as Locks;
    await becomes(new OneTab("x", lost, refused), "here");
    expect(lost).not.toHaveBeenCalled();
  });
});
