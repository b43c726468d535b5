/** The study tool: `#/study` and the screens below it. Each is a file of its own, loaded when it is opened. */
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { kLanguages, language } from "../../language.ts";
import { messages } from "../../messages.ts";
import { route } from "../../route.ts";
import { chooseLanguage } from "../../settings.ts";
import { Frame } from "../../views/frame.tsx";
import { Failed, lazy } from "../../views/lazy.tsx";
import { kStudyScreens, type StudyScreen, type StudyScreenProps, studyAddress, studyScreen } from "./addresses.ts";
import { useHeadlineFocus } from "./headline_focus.ts";
import { bringInSight } from "./sideways.ts";
import { StudyFoot } from "./study_foot.tsx";
import { studyTexts } from "./texts.ts";
import "../../screens/screens.css";
import "./study.css";

type StudyPart = ReturnType<typeof lazy<ComponentType<StudyScreenProps>>>;

const kParts: Record<StudyScreen, StudyPart> = {
  "": lazy(async () => (await import("./home.tsx")).Home),
  session: lazy(async () => (await import("./session.tsx")).Session),
  exam: lazy(async () => (await import("./exam.tsx")).Exam),
  quiz: lazy(async () => (await import("./quiz.tsx")).Quiz),
  lessons: lazy(async () => (await import("./lessons.tsx")).Lessons),
  labs: lazy(async () => (await import("./labs.tsx")).Labs),
  commands: lazy(async () => (await import("./commands.tsx")).Commands),
  cards: lazy(async () => (await import("./cards.tsx")).Cards),
  ledger: lazy(async () => (await import("./ledger.tsx")).Ledger),
  formulas: lazy(async () => (await import("./formulas.tsx")).Formulas),
  glossary: lazy(async () => (await import("./glossary.tsx")).Glossary),
  selector: lazy(async () => (await import("./selector.tsx")).Selector),
  backup: lazy(async () => (await import("./backup.tsx")).Backup),
  coverage: lazy(async () => (await import("./coverage.tsx")).Coverage),
};

/** Screens whose content the program prints too. */
const kCommands: Partial<Record<StudyScreen, string>> = {
  session: "study question",
  exam: "study exam",
  ledger: "study claims",
};

export function Study() {
  const { rest } = route.value;
  const screen = studyScreen(rest);
  const { load, view, failed } = kParts[screen];
  useEffect(load, [load]);
  useHeadlineFocus(rest.join("/"));
  const Loaded = view.value;
  return (
    <Frame single command={kCommands[screen]}>
      <Screens screen={screen} />
      {Loaded !== undefined ? (
        <Loaded key={screen} rest={rest.slice(1)} />
      ) : failed.value ? (
        <Failed again={load} />
      ) : (
        <p class="note opening">{messages.loadingScreen}</p>
      )}
      <StudyFoot />
    </Frame>
  );
}

/** On a phone one row that scrolls, with the screen that is on in sight. The way to another language stands beside it on every screen. */
function Screens({ screen }: { screen: StudyScreen }) {
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>(`a[aria-current="page"]`);
    if (row.current && current) bringInSight(row.current, current);
  }, [screen]);
  return (
    <div class="study-top">
      <nav class="study-screens" aria-label={studyTexts.screensTitle}>
        <ul class="row" ref={row}>
          {kStudyScreens.map((one) => (
            <li key={one}>
              <a href={studyAddress(one)} aria-current={one === screen ? "page" : undefined}>
                {studyTexts.screens[one]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {kLanguages
        .filter(({ id }) => id !== language.value)
        .map(({ id, name, tag }) => (
          <button key={id} type="button" lang={tag} onClick={() => chooseLanguage(id).catch(() => undefined)}>
            {name}
          </button>
        ))}
    </div>
  );
}
