/** A terminal: what was typed and printed, as real text, and the line on which the next command is typed. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { completed } from "../../commands/complete.ts";
import type { Tools } from "../../commands/grammar.ts";
import { stepBack, stepForth } from "../../commands/history.ts";
import type { CommandLab } from "../../commands/lab.ts";
import type { Entry, Note, Run } from "../../commands/run.ts";
import { ScrollHint } from "../scrolling.tsx";
import { useSideways } from "../sideways.ts";
import { CodeText } from "./code_text.tsx";
import { commandTexts } from "./texts.ts";

interface TerminalProps {
  lab: CommandLab;
  tools: Tools;
  run: Run;
  line: RefObject<HTMLInputElement | null>;
  /** What describes the line: the task, while there is one. */
  describedBy: string;
  onLine: (text: string) => void;
  onClear: () => void;
}

/** Signs that are hard to reach on the keyboard of a phone. */
const kSigns = ["|", "-", "--", "=", "/", '"'];

export function Terminal({ lab, tools, run, line, describedBy, onLine, onClear }: TerminalProps) {
  const [text, setText] = useState("");
  const [fits, setFits] = useState<readonly string[]>([]);
  /** Places of earlier lines from the end; 0 is the line that is being typed. */
  const [back, setBack] = useState(0);
  /** After Escape the next Tab leaves. */
  const [leaving, setLeaving] = useState(false);
  const write = (next: string) => {
    setText(next);
    setFits([]);
    line.current?.focus();
  };
  const complete = () => {
    const { line: next, all } = completed(tools, text, run.entries);
    setText(next);
    setFits(all.length > 1 ? all : []);
    return next !== text || all.length > 0;
  };
  const onTab = () => {
    complete();
    line.current?.focus();
  };
  const move = (place: number, typed: string) => {
    setBack(place);
    write(typed);
  };
  const earlier = () => {
    const { place, typed } = stepBack(run.typed, back, text);
    move(place, typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    if (event.key === "Escape") setLeaving(true);
    else if (event.key !== "Tab") setLeaving(false);
    if (event.ctrlKey && event.key.toLowerCase() === "l") {
      event.preventDefault();
      onClear();
    } else if (isPlain && event.key === "Tab" && !leaving && complete()) event.preventDefault();
    else if (isPlain && event.key === "ArrowUp") {
      event.preventDefault();
      earlier();
    } else if (isPlain && event.key === "ArrowDown") {
      event.preventDefault();
      const { place, typed } = stepForth(run.typed, back, text);
      move(place, typed);
    }
  };
  return (
    <div class="terminal">
      <Printed entries={run.entries} line={line} />
      <form
        class="terminal-form"
        onSubmit={(event) => {
          event.preventDefault();
          onLine(text);
          setBack(0);
          write("");
        }}
      >
        <label>
          <code>{lab.prompt}</code>
          <input
            ref={line}
            type="text"
            aria-label={commandTexts.line}
            aria-describedby={describedBy}
            autocapitalize="none"
            autocomplete="off"
            autocorrect="off"
            spellcheck={false}
            enterkeyhint="go"
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setFits([]);
            }}
            onKeyDown={onKeyDown}
          />
        </label>
        <button type="submit">{commandTexts.run}</button>
      </form>
      <PhoneKeys onSign={(sign) => write(`${text}${sign}`)} onTab={onTab} onUp={earlier} />
      <p class="terminal-fits" role="status">
        {fits.length === 0 ? null : <CodeText text={fill(commandTexts.fits, { list: `\`${fits.join(" ")}\`` })} />}
      </p>
      <p class="note" id="command-usage">
        {commandTexts.usage}
      </p>
    </div>
  );
}

interface PhoneKeysProps {
  onSign: (sign: string) => void;
  onTab: () => void;
  onUp: () => void;
}

function PhoneKeys({ onSign, onTab, onUp }: PhoneKeysProps) {
  return (
    <fieldset class="terminal-keys">
      <legend class="hidden">{commandTexts.keys}</legend>
      {kSigns.map((sign) => (
        <button type="button" key={sign} onClick={() => onSign(sign)}>
          <code>{sign}</code>
        </button>
      ))}
      <button type="button" aria-label={commandTexts.keyTab} onClick={onTab}>
        <code>Tab</code>
      </button>
      <button type="button" aria-label={commandTexts.keyUp} onClick={onUp}>
        <code>↑</code>
      </button>
    </fieldset>
  );
}

/** Everything that the terminal shows; what is added is read aloud and scrolled to. */
function Printed({ entries, line }: { entries: readonly Entry[]; line: TerminalProps["line"] }) {
  const box = useRef<HTMLDivElement>(null);
  const { scrolls, hasMore } = useSideways(box, entries);
  const named = entries.map((entry, place) => ({ entry, place }));
  useLayoutEffect(() => {
    // As a terminal does: the end is in sight, and with it what is said of the line.
    box.current?.scrollTo({ top: box.current.scrollHeight, left: 0 });
    // What is printed pushes the line down; who types stays at it.
    if (document.activeElement === line.current) line.current?.scrollIntoView({ block: "nearest" });
  }, [entries]);
  return (
    <>
      {scrolls ? <ScrollHint /> : null}
      <div
        class={hasMore ? "terminal-log more-beside" : "terminal-log"}
        role="log"
        aria-label={commandTexts.terminal}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        tabIndex={0}
        ref={box}
      >
        {named.map(({ entry, place }) => (
          <Shown key={place} entry={entry} />
        ))}
      </div>
    </>
  );
}

function Shown({ entry }: { entry: Entry }) {
  if (entry.kind === "line")
    return (
      <pre class="terminal-line" lang="en">
        <span class="terminal-prompt">{entry.prompt}</span> {entry.text}
      </pre>
    );
  if (entry.kind === "output") return <pre lang="en">{entry.lines.join("\n")}</pre>;
  return <Said note={entry.note} />;
}

const kMarks = { good: "✓", off: "✗", plain: "›" } as const;

function Said({ note }: { note: Note }) {
  const isOwn = "says" in note;
  return (
    <p class={`terminal-note ${note.tone}`} lang={isOwn ? "en" : undefined}>
      <b aria-hidden="true">{kMarks[note.tone]}</b>
      <span>
        <CodeText text={isOwn ? note.says : fill(commandTexts.notes[note.key], quoted(note.values ?? {}))} />
      </span>
    </p>
  );
}

/** Words of a command line, to be shown as such. */
const quoted = (values: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, `\`${value}\``]));
