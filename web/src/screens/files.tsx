/** Texts and drawings that an answer holds whole: to copy, and to keep as a file. */
import { useState } from "preact/hooks";
import { messages } from "../messages.ts";
import { keepFile } from "../tools/keep_file.ts";
import { texts } from "./texts.ts";

export function CopyableText({ title, text }: { title: string; text: string }) {
  const [copied, setCopied] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(messages.copied),
      () => setCopied(messages.copyFailed),
    );
  return (
    <figure class="text-file">
      <figcaption>
        <span>{title}</span>
        <span>
          <output aria-live="polite">{copied}</output>{" "}
          <button type="button" class="small" onClick={copy}>
            {texts.copy}
          </button>{" "}
          <button type="button" class="small" onClick={() => keepFile(fileName(title, "txt"), text, "text/plain")}>
            {texts.download}
          </button>
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}

/** A drawing of the core. It is shown as an image, so nothing in it runs. */
export function Drawing({ title, svg }: { title: string; svg: string }) {
  return (
    <figure class="drawing">
      <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={title} />
      <figcaption>
        <span>{title}</span>{" "}
        <button type="button" class="small" onClick={() => keepFile(fileName(title, "svg"), svg, "image/svg+xml")}>
          {texts.download}
        </button>
      </figcaption>
    </figure>
  );
}

function fileName(title: string, ending: string): string {
  return `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.${ending}`;
}
