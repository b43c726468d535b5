/** Name of the page and what can be taken away from it. */
import { useEffect, useState } from "preact/hooks";
import { messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { openPalette } from "./palette_door.tsx";

type Copied = "link" | "request" | "failed" | undefined;

/** `skipTo` is the id of what most people come for. */
export function Header({ skipTo }: { skipTo: "inputs" | "headline" }) {
  const { state } = usePage();
  const [copied, setCopied] = useState<Copied>();
  const copy = (what: "link" | "request", text: string) => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(what),
      () => setCopied("failed"),
    );
  };
  return (
    <header class="row top">
      <a class="skip" href={`#${skipTo}`} onClick={(event) => skip(event, skipTo)}>
        {skipTo === "inputs" ? messages.skipToInputs : messages.skipToContent}
      </a>
      <p class="row brand">
        <Mark />
        <strong>{messages.product}</strong> <span class="tagline">{messages.tagline}</span>
      </p>
      <div class="row actions">
        <Tools />
        <button type="button" onClick={() => copy("link", location.href)}>
          {messages.copyLink}
        </button>
        <button
          type="button"
          class="beyond-phone"
          onClick={() => copy("request", JSON.stringify(state.request.value, null, 2))}
        >
          {messages.copyRequest}
        </button>
        <output class="copied" aria-live="polite">
          {copied === "failed" ? messages.copyFailed : copied === undefined ? "" : messages.copied}
        </output>
      </div>
    </header>
  );
}

/** What needs scripts to be of use comes with them. */
function Tools() {
  const { state, controller } = usePage();
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  const { past, future } = state.past.value;
  // Without scripts they keep their place only.
  return (
    <span class={scripted ? "tools" : "tools unscripted"}>
      <IconButton
        label={messages.undo}
        disabled={past.length === 0}
        onClick={controller.undo}
        path="M6 3 2 7l4 4M2 7h7a4 4 0 0 1 0 8H6"
      />
      <IconButton
        label={messages.redo}
        disabled={future.length === 0}
        onClick={controller.redo}
        path="m10 3 4 4-4 4m4-4H7a4 4 0 0 0 0 8h3"
      />
      <button type="button" title={messages.commandsKeys} aria-haspopup="dialog" onClick={openPalette}>
        {messages.commands}
      </button>
    </span>
  );
}

interface IconButtonProps {
  label: string;
  disabled: boolean;
  path: string;
  onClick: () => void;
}

function IconButton({ label, disabled, path, onClick }: IconButtonProps) {
  return (
    <button type="button" class="icon" title={label} aria-label={label} disabled={disabled} onClick={onClick}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={path} fill="none" stroke="currentColor" stroke-width="1.5" />
      </svg>
    </button>
  );
}

/** The link state lives in the hash, so this jump moves the focus and leaves the address alone. */
function skip(event: Event, to: string): void {
  event.preventDefault();
  document.getElementById(to)?.focus();
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
      <path
        d="M2 13 V6 L8 2 L14 6 V13 Z M5 13 V8 M8 13 V8 M11 13 V8"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
      />
    </svg>
  );
}
