/** The currency that money is shown in. The engine counts in US dollars; the rates are those of the catalog, each with its month. */
import { signal } from "@preact/signals";

export interface Currency {
  /** ISO 4217. */
  id: string;
  name: string;
  /** Before the amount. */
  sign: string;
  /** Its units for one US dollar. */
  per_usd: number;
  /** Year and month of the rate. */
  as_of: string;
  /** Of the rate, by its id in the catalog. */
  source?: string;
}

export const kUsd: Currency = { id: "USD", name: "US dollar", sign: "$", per_usd: 1, as_of: "" };

/** The currency on show. Views that are drawn under another one are drawn anew. */
export const currency = signal<Currency>(kUsd);

/** The currencies whose rates are known so far: the others come with money.ts. */
export const rates = signal<readonly Currency[]>([kUsd]);
