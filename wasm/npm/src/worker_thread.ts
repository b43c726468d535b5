/** The other side of worker.ts: answers each question, and one without text when the engine is loaded. */
import { load } from "./index.js";
import type { Reply } from "./worker.js";

function loaded(): ReturnType<typeof load> {
  const engine = load();
  // The question that comes next says so.
  engine.catch(() => undefined);
  return engine;
}
let engine = loaded();

addEventListener("message", async ({ data }: MessageEvent<{ id: number; question?: string }>) => {
  const { id, question } = data;
  const reply = (rest: Omit<Reply, "id">) => postMessage({ id, ...rest } satisfies Reply);
  try {
    const { answerText } = await engine;
    reply({ answer: question === undefined ? "" : answerText(question) });
  } catch (error) {
    engine = loaded();
    reply({ failed: error instanceof Error ? error.message : String(error) });
  }
});
