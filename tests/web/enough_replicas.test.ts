/** How many replicas serve all users: the engine is asked, and the fewest that do are found. */
import { describe, expect, it } from "vitest";
import { enoughReplicas } from "../../web/src/screens/enough_replicas.tsx";

/** An engine whose replicas hold so many users each; it counts its questions. */
function engine(users: number, each: number) {
  const asked: number[] = [];
  const isEnough = async (replicas: number) => {
    asked.push(replicas);
    return replicas * each >= users;
  };
  return { asked, isEnough };
}

describe("enough replicas", () => {
  it.each([
    [1, 2000, 655, 4],
    [1, 2000, 1000, 2],
    [3, 2000, 1, 2000],
    [23, 100_000, 256, 391],
  ])("from %i, for %i users at %i each: %i", async (now, users, each, least) => {
    const { asked, isEnough } = engine(users, each);
    expect(await enoughReplicas(now, isEnough)).toBe(least);
    expect(asked.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(least)) + 2);
  });

  it("gives up where no number of them is enough", async () => {
    expect(await enoughReplicas(1, async () => false)).toBeUndefined();
  });
});
