/** Texts and drawings that an answer holds whole: to copy, and to keep as a file. */
import { useState } from "preact/hooks";
import { isObject, valueAt } from "../json.ts";
import { messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { keepFile } from "../tools/keep_file.ts";
import { Texts } from "../views/fold.tsx";
import { texts } from "./texts.ts";
import { titleOfPart } from "./words.ts";

/** Copies a text, and what is said of it. */
export function useCopy(text: string): { said: string; copy: () => void } {
  const [said, setSaid] = useState("");
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setSaid(messages.copied),
      () => setSaid(messages.copyFailed),
    );
  return { said, copy };
}

export function CopyableText({ title, text }: { title: string; text: string }) {
  const { said, copy } = useCopy(text);
  return (
    <figure class="text-file">
      <figcaption class="row">
        <span>{title}</span>
        <span>
          <output aria-live="polite">{said}</output>{" "}
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
      <figcaption class="row">
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

/** Start commands, each with a button that copies it. */
export function LaunchCommands({ place }: { place: string }) {
  const { state } = usePage();
  const commands = valueAt(state.answer.value, place);
  if (!Array.isArray(commands)) return null;
  return (
    <>
      {commands.filter(isObject).map((command, i) => {
        const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
        const text = [...list(command.environment), String(command.program ?? ""), ...list(command.arguments)];
        const notes = list(command.notes);
        const pool = list(command.environment).find((one) => one.startsWith("POOL="));
        const title = [String(command.program ?? ""), ...(pool === undefined ? [] : [pool.slice(5)])].join(", ");
        return (
          <div key={i}>
            <CopyableText title={title} text={text.join(command.form === "file" ? "\n" : " \\\n  ")} />
            {notes.length === 0 ? null : <Texts items={notes} />}
          </div>
        );
      })}
    </>
  );
}

/** A text of several lines is a file. */
export function isFile(value: unknown): boolean {
  return typeof value === "string" && (value.includes("\n") || value.startsWith("<svg"));
}

export function FileView({ name, text }: { name: string; text: string }) {
  return text.trimStart().startsWith("<svg") || text.trimStart().startsWith("<?xml") ? (
    <Drawing title={titleOfPart(name)} svg={text} />
  ) : (
    <CopyableText title={titleOfPart(name)} text={text} />
  );
}
