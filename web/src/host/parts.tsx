/** Small things that several parts of the host screen show. */
import type { ComponentChildren } from "preact";
import { useCopy } from "../screens/files.tsx";
import { texts } from "../screens/texts.ts";
import { inNames } from "./names.ts";

/** A command line with a button that copies it. */
export function CommandLine({ command, label }: { command: string; label: string }) {
  const { said, copy } = useCopy(command);
  return (
    <span class="command-line">
      <code>{command}</code>{" "}
      <button type="button" class="small" aria-label={`${label}: ${command}`} onClick={copy}>
        {texts.copy}
      </button>{" "}
      <output aria-live="polite">{said}</output>
    </span>
  );
}

interface CardProps {
  id: string;
  title: string;
  children: ComponentChildren;
}

export function Card({ id, title, children }: CardProps) {
  return (
    <section class="card host-part" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Sentences of the engine about a machine, with names for keys and quotes around commands. */
export function Sentences({ items }: { items: readonly string[] }) {
  return (
    <ul class="texts">
      {items.map((text) => (
        <li key={text}>{inNames(text.replaceAll(/`([^`]+)`/g, "“$1”"))}</li>
      ))}
    </ul>
  );
}
