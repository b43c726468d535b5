/** How the element looks: font and colours are those of the page around it, unless a custom property gives others. */
const kStyle = `
:host { display: block; font: inherit; line-height: 1.5; container-type: inline-size; overflow-wrap: anywhere;
  --line: var(--podwright-line, color-mix(in srgb, currentColor 25%, transparent));
  --note: var(--podwright-note, color-mix(in srgb, currentColor 85%, transparent)); }
:host([hidden]) { display: none; }
p { margin: 0 0 0.75em; }
.summary { font-size: 1.15em; font-weight: 600; text-wrap: pretty; color: var(--podwright-summary, inherit); }
dl { margin: 0 0 0.75em; border-block-start: 1px solid var(--line); }
dl > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr) minmax(0, 3fr); gap: 0 1em;
  padding: 0.4em 0; align-items: baseline; border-block-end: 1px solid var(--line); }
dd { margin: 0; }
.value { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
.note, .way-out { font-size: 0.9em; color: var(--note); text-wrap: pretty; }
ul { margin: 0 0 0.75em; padding-inline-start: 1.25em; }
li > p { margin: 0 0 0.25em; }
summary { padding: 0.25em 0; cursor: pointer; }
a { color: inherit; text-underline-offset: 0.2em; display: inline-block; padding: 0.25em 0; }
:is(a, summary):focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
@container (max-width: 34em) {
  dl > div { grid-template-columns: minmax(0, 1fr) auto; }
  .note { grid-column: 1 / -1; }
}
`;

let style: CSSStyleSheet | undefined;

/** The same sheet for all elements of a page. */
export function sharedStyle(): CSSStyleSheet {
  if (style === undefined) {
    style = new CSSStyleSheet();
    style.replaceSync(kStyle);
  }
  return style;
}
