/** Files of a machine: dropped, chosen or pasted, and what the engine found in them. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RequestError } from "../contract.ts";
import { numberText } from "../format.ts";
import type { JsonObject } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { textOf } from "../tools/read_file.ts";
import { Disclosure } from "../views/fold.tsx";
import {
  busy,
  chosenGpus,
  engineGone,
  errors,
  forget,
  given,
  imported,
  isSample,
  listOf,
  pasted,
  type RefusedFile,
  readFiles,
  readSample,
  refusedIn,
  refusedOf,
  sayWhatItIs,
  textsOf,
  unread,
} from "./host_state.ts";
import { Card, CommandLine } from "./parts.tsx";
import { hostTexts } from "./texts.ts";

const kCommand = "podwright probe -o profile.json";

async function readAll(files: FileList | undefined | null): Promise<void> {
  if (files === undefined || files === null || files.length === 0) return;
  const all = await Promise.all([...files].map(async (file) => ({ name: file.name, ...(await textOf(file)) })));
  const read = all.filter((file) => "text" in file);
  const reading = read.length > 0 ? readFiles(read) : undefined;
  unread.value = all.flatMap((file) => ("fault" in file ? [file.fault] : []));
  await reading;
}

/** Where files come in, the command that makes a profile, and what is wrong with what was given. */
export function ImportPart() {
  const names = given.value.map(({ name }) => name);
  return (
    <>
      {names.length === 0 ? <p>{hostTexts.intro}</p> : null}
      {isSample.value ? <p class="notice sample">{hostTexts.sampleNote}</p> : null}
      {names.length === 0 ? null : (
        <p class="row given">
          <code>{names.join(", ")}</code>{" "}
          <button type="button" onClick={forget}>
            {hostTexts.startAgain}
          </button>
        </p>
      )}
      {unread.value.map((fault) => (
        <p key={fault} class="notice" role="alert">
          {fault}
        </p>
      ))}
      <Faults />
      <DropZone />
      <p role="status">{busy.value ? hostTexts.working : ""}</p>
    </>
  );
}

/** Large while nothing was read; then the verdict comes first, and this waits folded. Files may be dropped on it either way. */
function DropZone() {
  const [isOver, setOver] = useState(false);
  const [wanted, setWanted] = useState(false);
  const isRead = given.value.length > 0 && errors.value.length === 0 && !engineGone.value;
  useEffect(() => setWanted(false), [given.value]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void readAll(event.dataTransfer?.files);
  };
  return (
    <details
      class={isOver ? "drop-zone over" : "drop-zone"}
      open={!isRead || wanted}
      onToggle={({ currentTarget }) => {
        if (isRead) setWanted(currentTarget.open);
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <summary hidden={!isRead}>{hostTexts.otherFiles}</summary>
      <GiveFiles />
      <PasteBox />
      <p>
        {hostTexts.makeProfile} <CommandLine command={kCommand} label={hostTexts.copyCommand} />
      </p>
      <p>
        <button type="button" onClick={() => void readSample()}>
          {hostTexts.sample}
        </button>
      </p>
    </details>
  );
}

function GiveFiles() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <label for="host-files">{hostTexts.drop}</label>
      <input
        ref={input}
        id="host-files"
        type="file"
        multiple
        aria-describedby="host-accepted"
        onChange={() => void readAll(input.current?.files)}
      />
      <p class="note" id="host-accepted">
        {hostTexts.accepted}
      </p>
    </>
  );
}

function PasteBox() {
  const read = () => void readFiles([{ name: hostTexts.pastedName, text: pasted.value }]);
  return (
    <form
      class="paste-box"
      onSubmit={(event) => {
        event.preventDefault();
        read();
      }}
    >
      <label for="host-paste">{hostTexts.paste}</label>
      <textarea
        id="host-paste"
        rows={4}
        spellcheck={false}
        value={pasted.value}
        aria-invalid={errors.value.length > 0 ? true : undefined}
        aria-describedby={errors.value.length > 0 ? "host-faults" : undefined}
        onInput={({ currentTarget }) => {
          pasted.value = currentTarget.value;
        }}
      />
      <button type="submit" disabled={pasted.value.trim() === ""}>
        {hostTexts.read}
      </button>
    </form>
  );
}

/** `/files/1/text/run/mode` as the file's name and the place in it. */
export function placeOf(path: string, files: readonly { name: string }[]): string {
  const found = /^\/files\/(\d+)\/text(.*)$/.exec(path);
  if (found === null) return path;
  return `${files[Number(found[1])]?.name ?? found[1]} ${found[2]}`.trim();
}

function Faults() {
  if (engineGone.value)
    return (
      <p class="notice" role="alert">
        {hostTexts.engineGone}{" "}
        <button type="button" onClick={() => void readFiles(given.value, isSample.value, chosenGpus.value)}>
          {messages.tryAgain}
        </button>
      </p>
    );
  const words = Object.keys(hostTexts.readAsWords);
  const ofFiles = [...refusedOf(imported.value), ...refusedIn(errors.value, words)];
  const others = errors.value.filter(({ path }) => !path.startsWith("/files/"));
  if (ofFiles.length + others.length === 0) return null;
  return (
    <div class="faults" id="host-faults" role="alert">
      <h2>{errors.value.length > 0 ? hostTexts.faults : hostTexts.leftOutFiles}</h2>
      <ul>
        {ofFiles.map((file) => (
          <li key={file.place}>
            {file.errors.map((error) => (
              <Fault key={`${error.path} ${error.message}`} error={error} />
            ))}
            {file.couldBe.length === 0 ? null : <WhatItIs file={file} />}
          </li>
        ))}
        {others.map((error) => (
          <li key={`${error.path} ${error.message}`}>
            <Fault error={error} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fault({ error: { path, message, hint } }: { error: RequestError }) {
  return (
    <>
      <p>
        <b>{placeOf(path, given.value)}</b>: {message}
      </p>
      {hint === undefined ? null : <p class="note">{hint}</p>}
    </>
  );
}

/** Where neither text nor name say what a file is, a person does. */
function WhatItIs({ file: { place, couldBe } }: { file: RefusedFile }) {
  const file = given.value[place];
  const words: Record<string, string> = hostTexts.readAsWords;
  const id = `host-read-as-${place}`;
  return (
    <p class="read-as">
      <label for={id}>{fill(hostTexts.readAs, { name: file?.name ?? String(place) })}</label>{" "}
      <select
        id={id}
        value={file?.readAs ?? ""}
        onChange={({ currentTarget }) => void sayWhatItIs(place, currentTarget.value)}
      >
        <option value="">{hostTexts.readAsUnknown}</option>
        {couldBe.map((word) => (
          <option key={word} value={word}>
            {words[word] ?? word}
          </option>
        ))}
      </select>
    </p>
  );
}

/** What each file is, what is taken of it, and what in it names somebody. */
export function FilesRead() {
  const files = listOf(imported.value, "files");
  if (files.length === 0) return null;
  return (
    <Card id="host-read" title={hostTexts.filesTitle}>
      <Privacy files={files} />
      {files.map((file, i) => (
        <FileRead key={`${i} ${String(file.name)}`} file={file} />
      ))}
    </Card>
  );
}

function FileRead({ file }: { file: JsonObject }) {
  const lists = [
    { title: hostTexts.used, items: textsOf(file, "used") },
    { title: hostTexts.ignored, items: textsOf(file, "ignored") },
    { title: hostTexts.missing, items: textsOf(file, "missing") },
  ];
  return (
    <div class="file-read">
      <h3>{String(file.name)}</h3>
      <p>
        {hostTexts.writtenBy}: {String(file.written_by)}
      </p>
      {lists.map(({ title, items }) => (
        <Disclosure key={title} summary={fill(title, { count: items.length })}>
          {() => (items.length === 0 ? <p>{hostTexts.nothing}</p> : <Places items={items} />)}
        </Disclosure>
      ))}
    </div>
  );
}

/** Places in a file as they are written there, and other things in words. */
function Places({ items }: { items: readonly string[] }) {
  return (
    <ul class="texts">
      {items.map((item) => (
        <li key={item}>{/^[\w.[\]/-]+$/.test(item) ? <code>{item}</code> : item}</li>
      ))}
    </ul>
  );
}

/** What names somebody in a file, by kind and number: "serial numbers: 1, UUIDs: 2". The values are not told, not even here. */
export function identifiersText(file: JsonObject): string {
  const words: Record<string, string> = hostTexts.privacyKinds;
  return listOf(file, "identifiers")
    .map(({ kind, count }) => `${words[String(kind)] ?? String(kind)}: ${numberText(Number(count))}`)
    .join(", ");
}

function Privacy({ files }: { files: readonly JsonObject[] }) {
  const kinds = files.flatMap((file) => {
    const text = identifiersText(file);
    return text === "" ? [] : [`${text} (${String(file.name)})`];
  });
  return (
    <p class="privacy">
      <b>{hostTexts.privacyTitle}:</b>{" "}
      {kinds.length === 0 ? hostTexts.privacyNone : fill(hostTexts.privacyFound, { kinds: kinds.join("; ") })}
    </p>
  );
}
