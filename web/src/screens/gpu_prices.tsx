/** Rental prices of the catalog: with their ages, and of one GPU by country. */
import { max, min } from "d3-array";
import { useEffect, useState } from "preact/hooks";
import { figureText } from "../format.ts";
import type { JsonObject } from "../json.ts";
import { fill, labelOf } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, type State } from "../state.ts";
import { AgeBadge } from "../views/age_badge.tsx";
import { placeNamed } from "../views/place_names.ts";
import { ageInDays, priceDay } from "../views/price_age.ts";
import { catalogRows } from "./catalog_lists.ts";
import { loadPlaces } from "./places.ts";
import { texts } from "./texts.ts";

/** Each price with how old it is on the day from which the engine counts. */
export function withAges(state: State, rows: readonly JsonObject[]): JsonObject[] {
  const today = priceDay(state);
  return rows.map((row) => {
    const days = ageInDays(String(row.as_of), today);
    return { ...row, age_days: Number.isFinite(days) ? days : null };
  });
}

interface CountryPrices {
  /** Its code; empty where the provider prints none. */
  country: string;
  offers: number;
  lowest: number | undefined;
  highest: number | undefined;
  newest: string;
}

/** The offers of a GPU by country, those with most offers first. */
export function byCountry(rows: readonly JsonObject[], gpu: string): CountryPrices[] {
  const groups = new Map<string, JsonObject[]>();
  for (const row of rows.filter((one) => one.gpu === gpu)) {
    const country = typeof row.country === "string" ? row.country : "";
    groups.set(country, [...(groups.get(country) ?? []), row]);
  }
  return [...groups]
    .map(([country, offers]): CountryPrices => {
      const usd = offers.flatMap((row) => (typeof row.usd_per_gpu_hour === "number" ? [row.usd_per_gpu_hour] : []));
      const days = offers.map(({ as_of }) => String(as_of)).sort();
      return { country, offers: offers.length, lowest: min(usd), highest: max(usd), newest: days.at(-1) ?? "" };
    })
    .sort((a, b) => Number(a.country === "") - Number(b.country === "") || b.offers - a.offers);
}

export function GpuPrices({ gpu }: { gpu: string }) {
  const { state } = usePage();
  const [rows, setRows] = useState<readonly JsonObject[]>();
  useEffect(() => {
    const places = loadPlaces().catch(() => undefined);
    void Promise.all([catalogRows("prices"), places]).then(
      ([all]) => setRows(all),
      () => undefined,
    );
  }, []);
  if (rows === undefined) return null;
  const countries = byCountry(rows, gpu);
  const all = rows.filter((row) => row.gpu === gpu).length;
  const money = (usd: number | undefined) => (usd === undefined ? "–" : figureText("usd", usd).value);
  return (
    <>
      <h2>{texts.rentalPrices}</h2>
      {all === 0 ? (
        <p>{texts.noPricesOf}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus */}
          <section class="wide-table" tabIndex={0}>
            <table class="plain rows">
              <thead>
                <tr>
                  <th scope="col">{labelOf("country")}</th>
                  {[texts.offersCount, texts.lowestOnDemand, texts.highestOnDemand].map((name) => (
                    <th key={name} scope="col" class="numeric">
                      {name}
                    </th>
                  ))}
                  <th scope="col">{texts.newestPrice}</th>
                </tr>
              </thead>
              <tbody>
                {countries.map(({ country, offers, lowest, highest, newest }) => (
                  <tr key={country}>
                    <th scope="row">{country === "" ? texts.countryNotPrinted : placeNamed(state, country)}</th>
                    <td class="numeric">{offers}</td>
                    <td class="numeric">{money(lowest)}</td>
                    <td class="numeric">{money(highest)}</td>
                    <td>
                      {newest} <AgeBadge asOf={newest} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <p>
            <a href={`#/data/prices/${encodeURIComponent(gpu)}`}>
              {fill(texts.allPricesOf, { count: all, name: nameOf(state.initial.gpus, gpu) })}
            </a>
          </p>
        </>
      )}
    </>
  );
}
