import { describe, expect, it } from "vitest";
import { EngineClient, EngineFailed, type EngineProcess } from "../../web/src/engine/client.ts";
import { LatestWins } from "../../web/src/engine/latest_wins.ts";

const kNever = new Promise<never>(() => undefined);

describe("LatestWins", () => {
  it("keeps one question on its way and the newest of the rest", async () => {
    const sent: string[] = [];
    const replies: (() => void)[] = [];
    const queue = new LatestWins(async (question: string) => {
      sent.push(question);
      await new Promise<void>((resolve) => replies.push(resolve));
      return question.toUpperCase();
    });
    const answers = ["a", "b", "c", "d"].map((question) => queue.ask(question));
    expect(sent).toEqual(["a"]);
    replies[0]?.();
    expect(await Promise.all(answers.slice(0, 3))).toEqual(["A", undefined, undefined]);
    expect(sent).toEqual(["a", "d"]);
    replies[1]?.();
    expect(await answers[3]).toBe("D");
  });

  it("goes on after a failure", async () => {
    const queue = new LatestWins(async (question: number) => {
      if (question === 1) throw new Error("one");
      return question;
    });
    const answers = [queue.ask(1), queue.ask(2)];
    await expect(answers[0]).rejects.toThrow("one");
    expect(await answers[1]).toBe(2);
    expect(await queue.ask(3)).toBe(3);
  });
});

/** Processes that behave as told, in the order in which they are started. */
function processes(...behaviours: Partial<EngineProcess>[]) {
  const log: string[] = [];
  const start = (): EngineProcess => {
    const number = log.filter((line) => line.startsWith("start")).length;
    log.push(`start ${number}`);
    return {
      answer: async (text) => `${number}:${text}`,
      died: kNever,
      stop: () => log.push(`stop ${number}`),
      ...behaviours[number],
    };
  };
  return { log, start };
}

const fails: Partial<EngineProcess> = { answer: () => Promise.reject(new Error("trap")) };

describe("EngineClient", () => {
  it("starts on the first question and keeps the process", async () => {
    const { log, start } = processes();
    const client = new EngineClient(start);
    expect(log).toEqual([]);
    expect([await client.answer("x"), await client.answer("y")]).toEqual(["0:x", "0:y"]);
    expect(log).toEqual(["start 0"]);
  });

  it("asks a fresh process once more after a trap, a death or silence", async () => {
    const silent: Partial<EngineProcess> = { answer: () => kNever };
    const dead: Partial<EngineProcess> = { answer: () => kNever, died: Promise.resolve(new Error("gone")) };
    for (const behaviour of [fails, silent, dead]) {
      const { log, start } = processes(behaviour);
      expect(await new EngineClient(start, 20).answer("x")).toBe("1:x");
      expect(log).toEqual(["start 0", "stop 0", "start 1"]);
    }
  });

  it("waits longer for a question that says so", async () => {
    const slow: Partial<EngineProcess> = {
      answer: (text) => new Promise((resolve) => setTimeout(() => resolve(text), 60)),
    };
    const { log, start } = processes(slow);
    expect(await new EngineClient(start, 20).answer("x", 2000)).toBe("x");
    expect(log).toEqual(["start 0"]);
  });

  it("reports a second failure, and starts anew for the next question", async () => {
    const { log, start } = processes(fails, fails);
    const client = new EngineClient(start);
    await expect(client.answer("x")).rejects.toBeInstanceOf(EngineFailed);
    expect(await client.answer("y")).toBe("2:y");
    expect(log).toEqual(["start 0", "stop 0", "start 1", "stop 1", "start 2"]);
  });

  it("reports a worker that cannot be started", async () => {
    const client = new EngineClient(() => {
      throw new TypeError("blocked");
    });
    await expect(client.answer("x")).rejects.toThrow("blocked");
  });
});
