/** Tables as comma-separated values. */
import type { JsonObject } from "./json.ts";

/** Rows as comma-separated values (RFC 4180), in the order of `columns`. */
export function csv(rows: readonly JsonObject[], columns: readonly string[]): string {
  const cell = (value: unknown) => {
    const text =
      value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[columns, ...rows.map((row) => columns.map((key) => row[key]))].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}
