/** A part of a page in docs/ that a script writes: what is between <!-- name:begin ... --> and <!-- name:end -->. */
import { readFileSync, writeFileSync } from "node:fs";

export function writePart(file: string, name: string, lines: readonly string[]): void {
  const before = readFileSync(file, "utf8");
  const part = new RegExp(`(<!-- ${name}:begin[^>]*-->\\n)[^]*?(<!-- ${name}:end -->)`);
  if (!part.test(before)) throw new Error(`${file} has no part ${name}`);
  writeFileSync(
    file,
    before.replace(part, (_, begin: string, end: string) => `${begin}\n${lines.join("\n")}\n\n${end}`),
  );
}
