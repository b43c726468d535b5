/** Texts and drawings that an answer holds whole: to copy, and to keep as a file. */
import { useState } from "preact/hooks";
import { isObject, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
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

/** A title that is the name of a file stays, without its folder. */
function fileName(title: string, ending: string): string {
  const name = title.slice(title.lastIndexOf("/") + 1);
  return /^[\w-]+\.[a-z]+$/.test(name) ? name : `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.${ending}`;
}

/** Scripts that start what was found, and of programs that cannot start it why. */
export function LaunchCommands({ place }: { place: string }) {
  const { state } = usePage();
  const listAt = (key: string) => {
    const list = valueAt(state.answer.value, place.replace(/launch$/, key));
    return Array.isArray(list) ? list.filter(isObject) : [];
  };
  return (
    <>
      {listAt("scripts").map(({ name, text }) => (
        <CopyableText key={String(name)} title={String(name)} text={String(text)} />
      ))}
      {listAt("launch").map(({ program, cannot }) =>
        Array.isArray(cannot) && cannot.length > 0 ? (
          <div key={String(program)}>
            <h3>{fill(texts.cannotLaunch, { program: String(program) })}</h3>
            <Texts items={cannot.map(String)} />
          </div>
        ) : null,
      )}
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
