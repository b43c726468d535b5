/** A part of the page that opens when asked for. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Message } from "../contract.ts";
import { translated } from "../translation.ts";
import { Said } from "./sentence.tsx";

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

export function Texts({ items }: { items: readonly (string | Message)[] }) {
  return (
    <ul class="texts">
      {items.map(translated).map((text) => (
        <li key={text}>
          <Said text={text} />
        </li>
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
