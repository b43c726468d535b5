/** The input that somebody asked for by a command: the form opens at it. */
import { signal } from "@preact/signals";

/** A pointer into the request of the page on show. */
export const wantedInput = signal<string | undefined>(undefined);
