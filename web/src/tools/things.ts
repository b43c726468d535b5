/** What the palette finds beside commands: inputs, values that they may have, screens by what people call them, words of the study tool. */
import type { Named } from "../contract.ts";
import screenWords from "../data/screen_words.json";
import { followLanguage } from "../language.ts";
import { fill, messages } from "../messages.ts";
import type { Page } from "../page.ts";
import { addressOf, isPlanView, kScreens, type Screen } from "../route.ts";
import { fieldLabel } from "../screens/field_names.ts";
import { type FoundInput, inputsOf, matchingInputs } from "../screens/find_inputs.ts";
import { loadPlaces, placeName } from "../screens/places.ts";
import { kStartOf, kTasks, type Task, taskOf, withTask } from "../screens/plan_question.ts";
import { type Example, type Field, loadRequests } from "../screens/requests.ts";
import { screenNotes, texts } from "../screens/texts.ts";
import { wantedInput } from "../screens/wanted_input.ts";
import type { Command } from "./commands.ts";

const words: Record<string, string> = followLanguage("screen_words", screenWords);

/** Other places of the site than its screens, with the text that they are found by. */
const kPlaces: Record<string, string> = {
  prices: "#/data/prices",
  gpus: "#/data/gpus",
  models: "#/data/models",
  systems: "#/data/systems",
  engines: "#/data/engines",
  regions: "#/data/regions",
  sources: "#/data/sources",
  exam: "#/study/exam",
  lessons: "#/study/lessons",
  glossary: "#/study/glossary",
  formulas: "#/study/formulas",
};

function go(hash: string): void {
  location.hash = hash;
}

/** Every screen, found by its name, by what it shows and by what people call that. */
export function screenCommands(): Command[] {
  const screens = kScreens.map((screen) => ({
    id: `go ${screen}`,
    group: texts.groupGo,
    title: screen === "plan" ? messages.answerView : messages.screens[screen],
    also: `${messages.screens[screen]} ${screenNotes[screen]} ${words[screen] ?? ""}`,
    run: () => go(addressOf(screen)),
  }));
  const others = Object.entries(kPlaces).map(([name, hash]) => ({
    id: `go ${hash}`,
    group: texts.groupGo,
    title: texts.places[name as keyof typeof texts.places],
    also: words[name] ?? "",
    run: () => go(hash),
  }));
  return [...screens, ...others];
}

/** What the plan's inputs and their values are made of, once it is loaded. */
export interface Things {
  schema: Field;
  examples: readonly Example[];
  places: readonly Named[];
}

export async function loadThings(): Promise<Things> {
  const [{ schema, examples }, places] = await Promise.all([loadRequests("plan"), loadPlaces()]);
  return { schema, examples, places };
}

/** What the GPUs are for: another task begins with its own example, as in the form. */
export function taskCommands({ examples }: Things, plan: Page, view: Screen): Command[] {
  const { state, controller } = plan;
  const now = taskOf(state.request.value);
  return kTasks
    .filter((task) => task !== now)
    .flatMap((task) => {
      const of = (name: Task) => examples.find((example) => example.name === kStartOf[name])?.request;
      const next = of(task);
      if (next === undefined) return [];
      return [
        {
          id: `task ${task}`,
          group: texts.groupSet,
          title: texts.tasks[task],
          also: words[task] ?? "",
          run: () => {
            controller.edit("", withTask(state.request.value, of(now), next));
            if (!isPlanView(view)) go(addressOf("plan"));
          },
        },
      ];
    });
}

const kMostInputs = 12;

/** Inputs of the plan that are called so; choosing one opens the form at it. */
export function inputCommands({ schema }: Things, plan: Page, typed: string, view: Screen): Command[] {
  if (typed.trim().length < 2) return [];
  const found = matchingInputs(inputsOf(schema, plan.state.request.value, new Set(["kind", "schema"])), typed);
  return found.slice(0, kMostInputs).map((input: FoundInput) => ({
    id: `input ${input.pointer}`,
    group: texts.groupInput,
    title: [...input.within, fieldLabel(input.name)].join(" › "),
    run: () => {
      if (!isPlanView(view)) go(addressOf("plan"));
      wantedInput.value = input.pointer;
    },
  }));
}

/** Values that the plan takes by their names: countries, models, GPUs. */
export function valueCommands({ places }: Things, plan: Page, view: Screen): Command[] {
  const { state, controller } = plan;
  const set = (pointer: string, name: string, title: string, value: string | string[]): Command => ({
    id: `value ${pointer} ${String(value)}`,
    group: texts.groupSet,
    title: fill(title, { name }),
    run: () => {
      controller.edit(pointer, value);
      if (!isPlanView(view)) go(addressOf("plan"));
    },
  });
  return [
    ...places.map((place) => set("/economics/region", placeName(place), texts.setPlace, place.id)),
    ...state.initial.models.map(({ id, name }) => set("/workloads/0/model", name, texts.setModel, id)),
    ...state.initial.gpus.map(({ id, name }) => set("/constraints/gpus", name, texts.setGpu, [id])),
  ];
}
