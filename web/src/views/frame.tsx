/** What surrounds every screen: name, tools, the list of screens, and the footer. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fill, messages } from "../messages.ts";
import { takeNewVersion, waiting } from "../offline.ts";
import { usePage } from "../page.ts";
import { kScreens, route, type Screen, type ScreenGroup } from "../route.ts";
import { Header } from "./header.tsx";
import { openPalette, Palette } from "./palette_door.tsx";
import { ScreenLink } from "./screen_link.tsx";

interface FrameProps {
  children: ComponentChildren;
  /** For screens without a column of inputs. */
  single?: boolean;
  /** What the program is asked for the same in a terminal; a single screen names its own, or has none. */
  command?: string | undefined;
}

export function Frame({ children, single = false, command }: FrameProps) {
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

/** On a phone only these stand in the bar; the others are among the commands. */
const kInBar: readonly Screen[] = ["plan", "deployments", "cost", "data"];

/** The list of screens. It needs scripts, so it comes with them; its place is kept. */
function Screens() {
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  const groups = [...new Set(Object.values(kScreens))];
  return (
    <nav class="screens" aria-label={messages.screensTitle}>
      {scripted ? groups.map((group) => <Group key={group} group={group} />) : null}
      {scripted ? (
        <button type="button" class="more-screens" aria-haspopup="dialog" onClick={openPalette}>
          {messages.allScreens}
        </button>
      ) : null}
    </nav>
  );
}

function Group({ group }: { group: ScreenGroup }) {
  const now = route.value.screen;
  const screens = (Object.keys(kScreens) as Screen[]).filter((screen) => kScreens[screen] === group);
  return (
    <div class="screen-group">
      <p class="screen-group-name">{messages.screenGroups[group]}</p>
      <ul>
        {screens.map((screen) => (
          <li key={screen} class={kInBar.includes(screen) ? undefined : "beyond-bar"}>
            <ScreenLink screen={screen} current={screen === now}>
              {messages.screens[screen]}
            </ScreenLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

function NewVersion() {
  if (waiting.value === undefined) return null;
  return (
    <p class="notice" role="status">
      {messages.newVersion}{" "}
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
      {asked === undefined ? null : <span>{fill(messages.commandLine, { command: asked })}</span>}
    </footer>
  );
}
