/** A request of a part of a screen and the engine's reply to it. While the engine is at work, only the newest request waits. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RequestError } from "../../contract.ts";
import type { JsonObject } from "../../json.ts";
import { askEngine } from "../../pages.ts";
import { readReply } from "../../replies.ts";

export interface EngineReply {
  /** The last answer; it stays while a later request is refused. */
  answer?: JsonObject;
  /** Why the last request was refused. */
  errors: readonly RequestError[];
  /** The engine did not answer at all. */
  failed: boolean;
  /** A later request is on its way. */
  busy: boolean;
}

interface Line {
  running: boolean;
  next?: string;
  gone: boolean;
}

/** One question; errors of the engine are part of the reply, never thrown. */
export async function replyTo(text: string): Promise<Omit<EngineReply, "busy">> {
  try {
    const reply = readReply(await askEngine(JSON.parse(text) as JsonObject));
    if (reply.kind === "answer") return { answer: reply.answer as unknown as JsonObject, errors: [], failed: false };
    return reply.kind === "errors" ? { errors: reply.errors, failed: false } : { errors: [], failed: true };
  } catch {
    return { errors: [], failed: true };
  }
}

export function useEngine(request: JsonObject): EngineReply & { again: () => void } {
  const [reply, setReply] = useState<EngineReply>({ errors: [], failed: false, busy: true });
  const line = useRef<Line>({ running: false, gone: false }).current;
  const text = JSON.stringify(request);

  const run = async () => {
    if (line.running) return;
    line.running = true;
    while (line.next !== undefined && !line.gone) {
      const asked = line.next;
      line.next = undefined;
      const came = await replyTo(asked);
      if (line.gone) break;
      const busy = line.next !== undefined;
      setReply((before) => ({ ...came, answer: came.answer ?? before.answer, busy }));
    }
    line.running = false;
  };
  const ask = () => {
    line.next = text;
    setReply((before) => ({ ...before, busy: true }));
    void run();
  };

  useEffect(ask, [text]);
  useEffect(() => {
    line.gone = false;
    return () => {
      line.gone = true;
    };
  }, [line]);
  return { ...reply, again: ask };
}
