/** Parts of the page whose code is loaded when they are first needed. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messages } from "../messages.ts";
import { lookForNewer } from "../offline.ts";
import { usePage } from "../page.ts";

interface Lazy<Loaded> {
  /** What the file has, once it is loaded. */
  readonly view: ReadonlySignal<Loaded | undefined>;
  readonly failed: ReadonlySignal<boolean>;
  load(): void;
}

/** Something of another file. A failed load may be tried again. */
export function lazy<Loaded>(load: () => Promise<Loaded>): Lazy<Loaded> {
  const view = signal<Loaded | undefined>(undefined);
  const failed = signal(false);
  let loading = false;
  return {
    view,
    failed,
    load() {
      if (loading || view.value !== undefined) return;
      loading = true;
      failed.value = false;
      load()
        .then(
          (loaded) => {
            view.value = loaded;
          },
          () => {
            failed.value = true;
          },
        )
        .finally(() => {
          loading = false;
        });
    },
  };
}

const explanation = lazy(async () => (await import("./explanation.tsx")).Explanation);

/** Where a number comes from; its code is loaded when the first number is pressed. */
export function LazyExplanation() {
  const { state } = usePage();
  const isOpen = state.explaining.value !== undefined;
  useEffect(() => {
    if (isOpen) explanation.load();
  }, [isOpen]);
  if (!isOpen) return null;
  if (explanation.failed.value) return <Failed again={explanation.load} />;
  const Loaded = explanation.view.value;
  return Loaded === undefined ? null : <Loaded />;
}

interface LazyFoldProps<Loaded> {
  title: string;
  part: Lazy<Loaded>;
  /** Opens by itself. */
  open?: boolean;
  children: (loaded: Loaded) => ComponentChildren;
}

/** A fold whose content, and the code of it, comes when it is first opened. */
export function LazyFold<Loaded>({ title, part, open, children }: LazyFoldProps<Loaded>) {
  const [opened, setOpened] = useState(false);
  const loaded = opened ? part.view.value : undefined;
  const load = () => {
    setOpened(true);
    part.load();
  };
  return (
    <details class="fold" open={open} onToggle={load}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {part.failed.value ? <Failed again={part.load} /> : null}
      {loaded === undefined ? null : <div class="inside">{children(loaded)}</div>}
    </details>
  );
}

/** Says what did not come, with a way to ask for it again. */
export function Failed({ text = messages.screenFailed, again }: { text?: string; again: () => void }) {
  useEffect(() => void lookForNewer(), []);
  return (
    <p class="notice" role="alert">
      {text}{" "}
      <button type="button" onClick={again}>
        {messages.tryAgain}
      </button>
    </p>
  );
}
