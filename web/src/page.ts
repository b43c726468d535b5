/** What every view gets: the state of its screen and what changes it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Controller } from "./controller.ts";
import type { State } from "./state.ts";

export interface Page {
  state: State;
  controller: Controller;
  /** The view takes over what the build has drawn. */
  isDrawn?: true;
}
export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("a view outside the page");
  return page;
}
