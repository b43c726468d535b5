/** Name of the page and what can be taken away from it. */
import { useState } from "preact/hooks";
import { messages } from "../messages.ts";
import { usePage } from "../state.ts";

type Copied = "link" | "request" | "failed" | undefined;

export function Header() {
  const { state } = usePage();
  const [copied, setCopied] = useState<Copied>();
  const copy = (what: "link" | "request", text: string) => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(what),
      () => setCopied("failed"),
    );
  };
  return (
    <header class="top">
      {/* biome-ignore lint/a11y/useValidAnchor: without scripts it is a plain jump */}
      <a class="skip" href="#inputs" onClick={skipToInputs}>
        {messages.skipToInputs}
      </a>
      <p class="brand">
        <Mark />
        <strong>{messages.product}</strong> <span class="tagline">{messages.tagline}</span>
      </p>
      <div class="actions">
        <button type="button" onClick={() => copy("link", location.href)}>
          {messages.copyLink}
        </button>
        <button type="button" onClick={() => copy("request", JSON.stringify(state.request.value, null, 2))}>
          {messages.copyRequest}
        </button>
        <output class="copied" aria-live="polite">
          {copied === "failed" ? messages.copyFailed : copied === undefined ? "" : messages.copied}
        </output>
      </div>
    </header>
  );
}

/** The link state lives in the hash, so this jump moves the focus and leaves the address alone. */
function skipToInputs(event: Event): void {
  event.preventDefault();
  document.getElementById("inputs")?.focus();
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
