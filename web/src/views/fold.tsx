/** A part of the page that opens when asked for. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Message } from "../contract.ts";
import { labelOf } from "../messages.ts";
import { translated } from "../translation.ts";

export function Fold({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="fold">
      <summary>
        <h2>{title}</h2>
      </summary>
      <div class="inside">{children}</div>
    </details>
  );
}

/** Content that is made when it is first opened, for long lists that few people open. */
export function Disclosure(props: { summary: string; open?: boolean; children: () => ComponentChildren }) {
  const { summary, open, children } = props;
  const [opened, setOpened] = useState(false);
  return (
    <details open={open} onToggle={() => setOpened(true)}>
      <summary>{summary}</summary>
      {opened || open ? children() : null}
    </details>
  );
}

/** A key of a request that stands alone in a sentence of the engine, by what the form calls it; parts of names and paths stay. */
function withNames(text: string): string {
  return text.replaceAll(
    /(?<![\w/.-])"?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)"?(?![\w/]|\.\w)/g,
    (_, key: string) => `“${labelOf(key)}”`,
  );
}

export function Texts({ items }: { items: readonly (string | Message)[] }) {
  return (
    <ul class="texts">
      {items
        .map((item) => withNames(translated(item)))
        .map((text) => (
          <li key={text}>{text}</li>
        ))}
    </ul>
  );
}

/** A title over sentences of the engine; nothing where there are none. */
export function TextBlock({ title, items }: { title: string; items: readonly (string | Message)[] | undefined }) {
  if (items === undefined || items.length === 0) return null;
  return (
    <div>
      <h2>{title}</h2>
      <Texts items={items} />
    </div>
  );
}
