/** A link to a screen as it was last shown. */
import type { ComponentChildren } from "preact";
import { addressOf, type Screen } from "../route.ts";

interface ScreenLinkProps {
  screen: Screen;
  children: ComponentChildren;
  current?: boolean;
}

/** The screen's address follows edits and may be newer than the drawing of the link, so it is looked up when the link is followed. */
export function ScreenLink({ screen, children, current = false }: ScreenLinkProps) {
  const lookUp = (event: { currentTarget: HTMLAnchorElement }) => {
    event.currentTarget.href = addressOf(screen);
  };
  return (
    <a href={addressOf(screen)} onClick={lookUp} onAuxClick={lookUp} aria-current={current ? "page" : undefined}>
      {children}
    </a>
  );
}
