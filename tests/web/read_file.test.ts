/** Files that people give: too large ones are not read, and one that cannot be read is told, in both languages. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { speak } from "../../web/src/language.ts";
import { textOf } from "../../web/src/tools/read_file.ts";

const fileOf = (size: number, text: () => Promise<string>) => ({ name: "a.json", size, text }) as File;

describe("a file that is given", () => {
  afterEach(() => speak("en"));

  it("is read up to the limit, and not at all beyond it", async () => {
    const text = vi.fn(async () => "{}");
    expect(await textOf(fileOf(16_000_000, text))).toEqual({ text: "{}" });
    expect(await textOf(fileOf(50_000_000, text), 50_000_000)).toEqual({ text: "{}" });
    expect(text).toHaveBeenCalledTimes(2);
    expect(await textOf(fileOf(16_000_001, text))).toEqual({
      fault: "a.json exceeds 16 MB, the most that this page reads. Choose a smaller file.",
    });
    await speak("zh");
    expect(await textOf(fileOf(16_000_001, text))).toEqual({ fault: expect.stringMatching(/^a\.json 超过 16 MB/) });
    expect(text).toHaveBeenCalledTimes(2);
  });

  it("that was moved or locked is told", async () => {
    const gone = () => Promise.reject(new DOMException("gone", "NotFoundError"));
    expect(await textOf(fileOf(1, gone))).toEqual({
      fault: "The browser could not read a.json. It may have been moved or changed. Choose it again.",
    });
  });
});
