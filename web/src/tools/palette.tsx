/** All commands in one place: go to a screen, set a number, explain a number, keep and open scenarios, choose looks. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fieldText, keyOf } from "../format.ts";
import { hostCommands } from "../host/host_commands.ts";
import { hosts, loadHosts } from "../host/hosts_store.ts";
import { kLanguages, language } from "../language.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { type Page, usePage } from "../page.ts";
import { knownPage } from "../pages.ts";
import { route } from "../route.ts";
import { texts } from "../screens/texts.ts";
import { chooseLanguage, chooseTheme, theme } from "../settings.ts";
import { paletteIsOpen } from "../views/palette_door.tsx";
import { type Command, matching, numberInputs, settingOf } from "./commands.ts";
import { saveScenario, scenarios } from "./scenarios.ts";
import { inputCommands, loadThings, screenCommands, type Things, taskCommands, valueCommands } from "./things.ts";
import "./palette.css";

const kShown = 40;

function close(): void {
  paletteIsOpen.value = false;
}

export function PaletteDialog() {
  const page = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    void loadHosts();
    void loadThings().then(setThings, () => undefined);
    return () => element?.close();
  }, []);
  const [things, setThings] = useState<Things>();
  const commands = commandsOf(page, typed);
  const plan = knownPage("plan") ?? page;
  const view = route.value.screen;
  const found = useMemo(() => {
    const inputs = things === undefined ? [] : inputCommands(things, plan, typed, view);
    const tasks = things === undefined ? [] : taskCommands(things, plan, view);
    const values = things === undefined || typed.trim().length < 2 ? [] : valueCommands(things, plan, view);
    return [
      ...asked(page, typed),
      ...matching([...commands, ...tasks], typed),
      ...inputs,
      ...matching(values, typed),
    ].slice(0, kShown);
  }, [commands, page, typed, things]);
  const chosen = Math.min(at, found.length - 1);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[chosen]);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={messages.commands}
      onCancel={close}
      onMouseDown={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="palette-inside">
        <div class="palette-head">
          <input
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={found[chosen] === undefined ? undefined : `command-${chosen}`}
            aria-label={texts.paletteLabel}
            placeholder={texts.palettePlaceholder}
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKey}
          />
          <button type="button" onClick={close}>
            {messages.explainClose}
          </button>
        </div>
        <div id="palette-list" class="found" role="listbox" tabIndex={-1} aria-label={messages.commands} ref={list}>
          {found.map((command, i) => (
            <div
              key={command.id}
              id={`command-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(command)}
              onKeyDown={onKey}
            >
              <span class="command-group">{command.group}</span> <span>{command.title}</span>
              {command.keys === undefined ? null : <kbd>{command.keys}</kbd>}
            </div>
          ))}
        </div>
        {found.length === 0 ? <p class="note">{texts.noCommand}</p> : null}
      </div>
    </dialog>
  );
}

/** Commands that the typed words themselves make: set a number, keep this scenario under a name. */
function asked({ state, controller }: Page, typed: string): Command[] {
  const setting = settingOf(typed);
  const made: Command[] = [];
  if (setting !== undefined) {
    const words = setting.words.toLowerCase().split(/\s+/);
    for (const { pointer, label, value } of numberInputs(state.request.value)) {
      const text = `${label} ${pointer.replaceAll(/[/_]/g, " ")}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      const title = fill(texts.setNumber, { label, value: fieldText(setting.value), was: fieldText(value) });
      made.push({
        id: `set ${pointer}`,
        group: texts.groupSet,
        title,
        run: () => controller.edit(pointer, setting.value),
      });
    }
  }
  const name = new RegExp(`^${texts.saveWord}\\s+(.+)$`, "i").exec(typed.trim())?.[1];
  if (name !== undefined)
    made.push({
      id: "save as",
      group: texts.groupScenario,
      title: fill(texts.saveAs, { name }),
      run: () => void saveScenario(name, location.hash),
    });
  return made;
}

function commandsOf({ state, controller }: Page, typed: string): Command[] {
  const sample: Command = {
    id: "go host sample",
    group: texts.groupGo,
    title: texts.goSample,
    run: () => {
      location.hash = "#/host/sample";
    },
  };
  const { past, future } = state.past.value;
  const group = texts.groupScenario;
  const { title } = document;
  const here: Command[] = [
    ...(past.length === 0 ? [] : [{ id: "undo", group, title: messages.undo, keys: "Ctrl Z", run: controller.undo }]),
    ...(future.length === 0
      ? []
      : [{ id: "redo", group, title: messages.redo, keys: "Ctrl Shift Z", run: controller.redo }]),
    { id: "reset", group, title: messages.reset, run: controller.reset },
    {
      id: "save",
      group,
      title: texts.saveHere,
      run: () => void saveScenario(defaultName(state, title), location.hash),
    },
    { id: "link", group, title: messages.copyLink, run: () => void navigator.clipboard.writeText(location.href) },
    {
      id: "request",
      group,
      title: messages.copyRequest,
      run: () => void navigator.clipboard.writeText(JSON.stringify(state.request.value, null, 2)),
    },
    { id: "print", group, title: texts.print, run: () => setTimeout(() => print()) },
    ...scenarios.value.map(({ name, hash }) => ({
      id: `open ${name}`,
      group: texts.groupOpen,
      title: name,
      run: () => {
        location.hash = hash;
      },
    })),
  ];
  const looks: Command[] = [
    ...(["system", "light", "dark"] as const)
      .filter((next) => next !== theme.value)
      .map((next) => ({
        id: `theme ${next}`,
        group: texts.groupLooks,
        title: texts.themes[next],
        run: () => chooseTheme(next),
      })),
    ...kLanguages
      .filter(({ id }) => id !== language.value)
      .map(({ id, name }) => ({
        id: `speak ${id}`,
        group: texts.groupLooks,
        title: name,
        run: () => void chooseLanguage(id),
      })),
    ...(["GB", "GiB"] as const)
      .filter((unit) => unit !== state.memoryUnit.value)
      .map((unit) => ({
        id: `unit ${unit}`,
        group: texts.groupLooks,
        title: fill(texts.memoryIn, { unit }),
        run: () => {
          state.memoryUnit.value = unit;
        },
      })),
  ];
  return [
    ...screenCommands(),
    sample,
    ...hostCommands(hosts.value),
    ...here,
    ...looks,
    ...(typed.trim().length < 2 ? [] : explanations(controller)),
  ];
}

/** One command for every number on the screen, by its first appearance. */
function explanations(controller: Page["controller"]): Command[] {
  const places = [...document.querySelectorAll<HTMLElement>("button.figure[data-place]")].map((figure) => ({
    place: figure.dataset.place ?? "",
    text: figure.textContent ?? "",
  }));
  const first = new Map(places.reverse().map((figure) => [figure.place, figure]));
  return [...first.values()].reverse().map(({ place, text }) => ({
    id: `explain ${place}`,
    group: texts.groupExplain,
    title: `${labelOf(keyOf(place))}: ${text}`,
    run: () => controller.explain(place),
  }));
}

/** What a scenario is called until it gets another name: the answer in short. */
export function defaultName(state: Page["state"], fallback: string): string {
  const { plans } = state.answer.value;
  const first = plans?.[0];
  const screen = messages.screens[state.asking.screen];
  const heading = document.getElementById("headline")?.textContent ?? "";
  if (first?.gpu_count !== undefined) return `${screen}: ${first.gpu_count} × ${first.gpu_name ?? first.gpu ?? ""}`;
  return heading === "" ? fallback : `${screen}: ${heading.slice(0, 60)}`;
}
