/** Names that end where a program puts together text by hand, and random ones of the same letters. */
export const hostileNames = [
  `"quoted"`,
  "it's",
  "back\\slash",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one that must not be filled.
  "`tick` ${HOME} $(id)",
  "{{ name }}",
  "{% raw %}",
  "---",
  "a\n---\nb: c",
  "tab\there",
  "carriage\rreturn",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "</podwright-plan><h1>out</h1>",
  "&amp;&lt;",
  "javascript:alert(1)",
  "*/ } alert(1) /*",
  "-- DROP TABLE",
  "é ü ß 数据 \u{1f680}",
  "\u202eright to left",
  "__proto__",
  "constructor",
  "a".repeat(2000),
];

const kLetters = [..."abc \"'`\\$(){}[]<>&;:#%*/-_=,.!?@~^|\t\n\r数é\u202e\u{1f680}"];

/** Numbers in 0..1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function randomName(random: () => number): string {
  const length = 1 + Math.floor(random() * 24);
  return Array.from({ length }, () => kLetters[Math.floor(random() * kLetters.length)] ?? "").join("");
}
