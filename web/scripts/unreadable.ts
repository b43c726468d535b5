/** What cannot be read on a page as it is shown: text that is cut, spills over, lies on other text, or is an identifier. */
import type { Page } from "@playwright/test";

/** A line of text as it is drawn. */
interface Line {
  element: Element;
  text: string;
  box: DOMRect;
}

/** What the functions below share in the page. */
interface Tools {
  styleOf: (element: Element) => CSSStyleDeclaration;
  /** Is this drawn for eyes? Text for screen readers alone has a box of a pixel. */
  isSeen: (element: Element) => boolean;
  /** The start of a text, and where it is. */
  told: (what: string, element: Element, text: string) => string;
  short: (text: string) => string;
  lines: Line[];
}
type WithTools = Window & { unreadable: Tools };

/** Each of these runs in the page and so names nothing of this file but types. */
export async function unreadableOn(page: Page): Promise<string[]> {
  await page.evaluate(putTools);
  await page.evaluate(putLines);
  const found = [];
  for (const find of [findWide, findMisplaced, findCut, findIdentifiers, findCutFields, findOverlaps])
    found.push(...(await page.evaluate(find)));
  return [...new Set(found)];
}

function putTools(): void {
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
  const isSeen = (element: Element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    // What waits outside of the window until it has the focus, or is for screen readers.
    if (element.closest(".skip, .hidden") !== null) return false;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { overflowX, clipPath } = styleOf(at);
      const clips = overflowX === "hidden" || overflowX === "clip" || clipPath !== "none";
      if (clips && at instanceof HTMLElement && at.offsetWidth <= 2) return false;
    }
    return true;
  };
  const short = (text: string) => {
    const plain = text.trim().replace(/\s+/g, " ");
    return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
  };
  const told = (what: string, element: Element, text: string) => {
    const name = (one: Element) => `${one.localName}${one.classList.length > 0 ? `.${one.classList[0]}` : ""}`;
    const within = element.parentElement?.closest("[class], [id]");
    const at = within?.id ? `#${within.id}` : within ? name(within) : "page";
    return `${what}: “${short(text)}” (${name(element)} in ${at})`;
  };
  (window as unknown as WithTools).unreadable = { styleOf, isSeen, told, short, lines: [] };
}

/** The lines of text that are on show: of a dialog where one is open. */
function putLines(): void {
  const { styleOf, isSeen, lines } = (window as unknown as WithTools).unreadable;
  const scrolls = (element: Element) => {
    const { overflowX, overflowY } = styleOf(element);
    return [overflowX, overflowY].some((word) => word === "auto" || word === "scroll");
  };
  /** What is in sight of a line: of one that is scrolled out of what it is in nothing, of one at its edge a part. */
  const inSight = (element: Element, box: DOMRect): DOMRect => {
    let { left, top, right, bottom } = box;
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
      if (!scrolls(at)) continue;
      const outer = at.getBoundingClientRect();
      [left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
      [top, bottom] = [Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };
  const dialog = [...document.querySelectorAll("dialog[open], [role=dialog]")].at(-1);
  const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const kUndrawn = "script, style, noscript, title, desc, option, textarea, math";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent ?? "";
    if (element === null || text.trim() === "" || element.closest(kUndrawn) !== null || !isSeen(element)) continue;
    range.selectNodeContents(node);
    for (const whole of range.getClientRects()) {
      const box = inSight(element, whole);
      if (box.width >= 1 && box.height >= 1) lines.push({ element, text, box });
    }
  }
}

function findWide(): string[] {
  const wide = document.documentElement.scrollWidth - innerWidth;
  return wide > 0 ? [`the page is wider than the window by ${wide} pixels`] : [];
}

function findMisplaced(): string[] {
  const bottom = document.querySelector("main")?.getBoundingClientRect().bottom ?? 0;
  const top = document.querySelector("#app > footer")?.getBoundingClientRect().top ?? bottom;
  return top < bottom - 1 ? ["the footer is not below the content"] : [];
}

/** Lines that what they are in cuts off, or that leave their box. */
function findCut(): string[] {
  const { styleOf, told, lines } = (window as unknown as WithTools).unreadable;
  const kSlack = 1.5;
  const isExplained = (element: Element) => element.closest("[title]") !== null || element.hasAttribute("aria-label");
  const fault = ({ element, text, box }: Line): string | undefined => {
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
      const style = styleOf(at);
      if (style.display === "inline" || style.display === "contents" || at.closest("svg") !== null) continue;
      // What scrolls by design shows the rest when asked to.
      if (style.overflowX === "auto" || style.overflowX === "scroll") return undefined;
      const outer = at.getBoundingClientRect();
      const over = Math.max(box.right - outer.right, outer.left - box.left) > kSlack;
      if (style.overflowX === "visible") {
        if (over) return told("outside of its box", at, text);
        continue;
      }
      if (over) return style.textOverflow === "ellipsis" && isExplained(at) ? undefined : told("cut", at, text);
      if (box.bottom - outer.bottom > box.height / 2) return told("cut below", at, text);
    }
    return undefined;
  };
  return lines.map(fault).filter((one) => one !== undefined);
}

/** Keys, ids of GPUs and paths of documents in what people read. */
function findIdentifiers(): string[] {
  const { told, lines } = (window as unknown as WithTools).unreadable;
  const kIdentifier =
    /(?<![\w/.-])[a-z][a-z0-9]*_[a-z0-9_]+\b|\bdocs\/[\w/]+|(?<![\w-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d+gb\b/;
  /** Text of a file, a command or a formula, and titles of other people's documents: their words are what they are. */
  const kVerbatim = "pre, code, kbd, samp, .equation, .source, .result, footer, a[href^=http]";
  /** Names of files, and what others call their products: instances of Lambda, a type of PyTorch. */
  const kNotOurs = /\b\w+\.(?:jsonl?|csv|xml|txt|log)\b|\bgpu_\d+x_\w+|\bfloat8_e4m3fn\b/g;
  return lines.flatMap(({ element, text }) => {
    if (element.closest(kVerbatim) !== null) return [];
    const id = kIdentifier.exec(text.replaceAll(kNotOurs, ""));
    return id === null ? [] : [told(`an identifier, ${id[0]}`, element, text)];
  });
}

/** The chosen entry of a select, and what is written in a field or asked for in it. */
function findCutFields(): string[] {
  const { styleOf, isSeen, told } = (window as unknown as WithTools).unreadable;
  const context = document.createElement("canvas").getContext("2d");
  const kKinds = ["text", "search", "number", "date", "url"];
  const kArrow = 16;
  const found: string[] = [];
  for (const field of document.querySelectorAll<HTMLSelectElement | HTMLInputElement>("select, input")) {
    const isSelect = field instanceof HTMLSelectElement;
    if (context === null || !isSeen(field) || (!isSelect && !kKinds.includes(field.type))) continue;
    const style = styleOf(field);
    const text = isSelect ? (field.selectedOptions[0]?.text ?? "") : field.value || field.placeholder;
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const taken =
      Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight) + (isSelect ? kArrow : 0);
    if (context.measureText(text).width > field.clientWidth - taken + 1 && field.title === "")
      found.push(told("cut in its field", field, text));
  }
  return found;
}

/** Lines that lie on others: sorted from the top, each is compared with those that begin before it ends. */
function findOverlaps(): string[] {
  const { styleOf, told, short, lines } = (window as unknown as WithTools).unreadable;
  const isPinned = (element: Element) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement)
      if (["fixed", "sticky"].includes(styleOf(at).position)) return true;
    return false;
  };
  const found: string[] = [];
  const sorted = lines.filter(({ element }) => !isPinned(element)).sort((a, b) => a.box.top - b.box.top);
  for (const [i, { element, text, box }] of sorted.entries()) {
    const isDrawn = element.closest("svg") !== null;
    for (const other of sorted.slice(i + 1)) {
      if (other.box.top > box.bottom - 3) break;
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - other.box.top;
      // Boxes of lines are higher than letters, so those that follow closely may touch.
      const least = Math.min(box.height, other.box.height) * (isDrawn ? 0.25 : 0.4);
      if (across > 2 && down > least && (isDrawn || element !== other.element))
        found.push(told(`lies on “${short(text)}”`, other.element, other.text));
    }
  }
  return found;
}
