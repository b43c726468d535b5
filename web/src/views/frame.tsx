/** What surrounds every screen: name, tools, the areas with their screens, and the footer. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fill, messages } from "../messages.ts";
import { renewal, takeNewVersion } from "../offline.ts";
import { usePage } from "../page.ts";
import { type Area, areaOf, kAreas, kPaper, route, type Screen } from "../route.ts";
import { Header } from "./header.tsx";
import { Palette } from "./palette_door.tsx";
import { ScreenLink } from "./screen_link.tsx";

interface FrameProps {
  children: ComponentChildren;
  /** For screens without a column of inputs. */
  single?: boolean;
  /** What the program is asked for the same in a terminal; a single screen names its own, or has none. */
  command?: string | undefined;
}

export function Frame({ children, single = false, command }: FrameProps) {
  const { screen } = route.value;
  useEffect(() => {
    document.title = screen === "plan" ? messages.pageTitle : `${messages.screens[screen]} – ${messages.product}`;
  });
  return (
    <>
      <Header skipTo={single ? "headline" : "inputs"} />
      <Screens />
      <main id="main" class={single ? "single" : undefined}>
        <NewVersion />
        {children}
        <Announcer />
      </main>
      <Footer command={command} hasRequest={!single} />
      <Palette />
    </>
  );
}

/** The areas, and the screens of the one on show. They need scripts, so they come with them; their place is kept. */
function Screens() {
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  const { screen } = route.value;
  const now = areaOf(screen);
  const screens: readonly Screen[] = kAreas[now];
  // The plan on paper is one step away; a part of the plan that is tried by hand stands after its own views.
  const shown: readonly Screen[] = now === "plan" ? [...screens, kPaper] : screens;
  const all = shown.includes(screen) ? shown : [...shown, screen];
  return (
    <>
      <nav class="areas" aria-label={messages.areasTitle}>
        {scripted ? (
          <ul>
            {(Object.keys(kAreas) as Area[]).map((area) => (
              <li key={area}>
                <ScreenLink screen={kAreas[area][0]} current={area === now}>
                  {messages.areas[area]}
                </ScreenLink>
              </li>
            ))}
            <li class="phone-only">
              <ScreenLink screen="study" current={screen === "study"}>
                {messages.screens.study}
              </ScreenLink>
            </li>
          </ul>
        ) : null}
      </nav>
      {all.length < 2 ? null : (
        <nav class="screens" aria-label={messages.screensTitle}>
          {scripted ? (
            <ul>
              {all.map((one) => (
                <li key={one}>
                  <ScreenLink screen={one} current={one === screen}>
                    {one === "plan" ? messages.answerView : messages.screens[one]}
                  </ScreenLink>
                </li>
              ))}
            </ul>
          ) : null}
        </nav>
      )}
    </>
  );
}

function NewVersion() {
  if (renewal.value === undefined) return null;
  return (
    <p class="notice" role="status">
      {renewal.value === "ready" ? messages.newVersion : messages.unfinished}{" "}
      <button type="button" onClick={takeNewVersion}>
        {messages.reload}
      </button>
    </p>
  );
}

function Announcer() {
  return (
    <p class="hidden" role="status">
      {usePage().state.announcement.value}
    </p>
  );
}

function Footer({ command, hasRequest }: { command: string | undefined; hasRequest: boolean }) {
  const { state } = usePage();
  const { podwright_version: version, catalog_digest: digest, kind = "plan" } = state.answer.value;
  const asked = command ?? (hasRequest ? `${state.initial.verbs[kind] ?? kind} request.json` : undefined);
  return (
    <footer>
      {version === undefined ? null : <span>{fill(messages.version, { version })}</span>}
      {digest === undefined ? null : (
        <span title={digest}>
          {fill(messages.catalogDigest, { digest: digest.replace(/^[a-z0-9]+:/, "").slice(0, 8) })}
        </span>
      )}
      {asked === undefined ? null : fill(messages.commandLine, { command: asked })}
    </footer>
  );
}
