/** Keys of a running exam. */

export type ExamKey = "next" | "previous" | "flag" | "time" | { strike: number };

/** What an event says of its key. */
export interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Where the focus is: what is typed or chosen there with the same keys is left alone. */
export interface FocusAt {
  /** A field or a menu, which takes letters. */
  typed: boolean;
  /** A field of one line, in which Enter ends the answer. */
  oneLine: boolean;
  /** An option, a menu or a region that scrolls, which takes arrows. */
  arrows: boolean;
}

const kLetters: Record<string, ExamKey> = { n: "next", p: "previous", f: "flag", t: "time" };
const kArrows: Record<string, ExamKey> = { ArrowRight: "next", ArrowLeft: "previous" };
/** Options have the letters from a to e at most. */
const kMostOptions = 5;

export function examKey({ key, shiftKey, ...held }: Pressed, at: FocusAt): ExamKey | undefined {
  if (held.ctrlKey || held.metaKey || held.altKey) return undefined;
  if (key === "Enter") return at.oneLine ? "next" : undefined;
  if (key in kArrows) return at.arrows || at.typed || shiftKey ? undefined : kArrows[key];
  if (at.typed) return undefined;
  if (!shiftKey) return kLetters[key];
  const strike = key.length === 1 ? key.toLowerCase().charCodeAt(0) - 97 : -1;
  return strike >= 0 && strike < kMostOptions ? { strike } : undefined;
}

export function focusAt(target: EventTarget | null): FocusAt {
  if (!(target instanceof HTMLElement)) return { typed: false, oneLine: false, arrows: false };
  const oneLine = target.matches("input[type=text], input[type=number], input:not([type])");
  return {
    typed: oneLine || target.matches("select, textarea, input[type=search]"),
    oneLine,
    arrows: target.matches("input, select, textarea, summary, [tabindex='0']"),
  };
}
