/** Parts of a request that people have as a file, a model's config.json above all. */
import { useState } from "preact/hooks";
import { isObject, type Json, type JsonObject, valueAt } from "../json.ts";
import { fill } from "../messages.ts";
import { usePage } from "../page.ts";
import { textOf } from "../tools/read_file.ts";
import { kWorkload } from "./plan_question.ts";
import { texts } from "./texts.ts";
import "./screens.css";

/** JSON as text, typed, pasted or dropped as a file. Only whole objects reach the request. */
export function JsonBox({ pointer, value, label }: { pointer: string; value: JsonObject | undefined; label: string }) {
  const { controller } = usePage();
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 1));
  const [problem, setProblem] = useState("");
  const take = (typed: string) => {
    setText(typed);
    setProblem("");
    if (typed.trim() === "") return;
    try {
      const read = JSON.parse(typed) as Json;
      if (isObject(read)) controller.edit(pointer, read);
      else setProblem(texts.notAnObject);
    } catch (error) {
      setProblem(fill(texts.notJson, { problem: error instanceof Error ? error.message : "" }));
    }
  };
  return (
    <>
      <textarea
        rows={5}
        spellcheck={false}
        aria-label={label}
        value={text}
        onInput={({ currentTarget }) => take(currentTarget.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const file = event.dataTransfer?.files[0];
          if (file === undefined) return;
          event.preventDefault();
          void textOf(file).then((read) => ("fault" in read ? setProblem(read.fault) : take(read.text)));
        }}
      />
      {problem === "" ? null : (
        <p class="fault" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Takes a model that the catalog does not have. */
export function PasteModel({ pointer }: { pointer: string }) {
  const given = valueAt(usePage().state.request.peek(), pointer);
  return (
    <>
      <p class="help">{texts.pasteHelp}</p>
      <JsonBox pointer={pointer} value={isObject(given) ? given : undefined} label={texts.ownText} />
    </>
  );
}

/** The same for the model of the plan's first workload. */
export function PastePlanModel() {
  return <PasteModel pointer={`${kWorkload}/model`} />;
}
