/** Scenarios kept in this browser, and up to four of them side by side: what differs, in the same units. */
import { useEffect, useState } from "preact/hooks";
import { isObject, type Json, numberAt, pointerToken } from "../json.ts";
import { decodeLink } from "../link.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { type Page, PageContext } from "../page.ts";
import { lastHash, type PageName, pageOf, routeOf } from "../route.ts";
import { keepFile } from "../tools/keep_file.ts";
import { importScenarios, removeScenario, type Scenario, saveScenario, scenarios } from "../tools/scenarios.ts";
import { Figure } from "../views/figure.tsx";
import { Disclosure } from "../views/fold.tsx";
import { Frame } from "../views/frame.tsx";
import { LazyExplanation } from "../views/lazy.tsx";
import { openBeside } from "./page_beside.tsx";
import { loadRequests } from "./requests.ts";
import { texts } from "./texts.ts";
import "./screens.css";

const kMost = 4;

export function Compare({ plan }: { plan: Page }) {
  const kept = scenarios.value;
  const [chosen, setChosen] = useState<readonly string[]>(kept.slice(-2).map(({ name }) => name));
  const shown = kept.filter(({ name }) => chosen.includes(name)).slice(0, kMost);
  return (
    <Frame single>
      <section class="card" aria-labelledby="headline">
        <h1 id="headline" tabIndex={-1}>
          {messages.screens.compare}
        </h1>
        <SaveHere
          plan={plan}
          added={(name) => setChosen([...chosen.filter((other) => other !== name), name].slice(-kMost))}
        />
        {kept.length === 0 ? (
          <p>{texts.noScenarios}</p>
        ) : (
          <ScenarioList kept={kept} chosen={chosen} choose={setChosen} />
        )}
        <Files />
      </section>
      {shown.length === 0 ? null : (
        <SideBySide key={shown.map(({ hash }) => hash).join(" ")} plan={plan} shown={shown} />
      )}
    </Frame>
  );
}

/** Keeps what the plan shows under a name. */
function SaveHere({ plan, added }: { plan: Page; added: (name: string) => void }) {
  const first = plan.state.answer.value.plans?.[0];
  const suggestion = first === undefined ? "" : `${first.gpu_count ?? ""} × ${first.gpu_name ?? first.gpu ?? ""}`;
  const [name, setName] = useState(suggestion);
  const [said, setSaid] = useState("");
  return (
    <form
      class="save-here"
      onSubmit={(event) => {
        event.preventDefault();
        const isKept = saveScenario(name, lastHash.get("plan") ?? "#/");
        setSaid(isKept ? fill(texts.savedAs, { name }) : texts.notKept);
        added(name);
      }}
    >
      <label>
        <span>{texts.saveThePlan}</span>
        <input type="text" required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <button type="submit">{texts.save}</button>
      <output aria-live="polite">{said}</output>
    </form>
  );
}

interface ScenarioListProps {
  kept: readonly Scenario[];
  chosen: readonly string[];
  choose: (names: readonly string[]) => void;
}

function ScenarioList({ kept, chosen, choose }: ScenarioListProps) {
  return (
    <ul class="scenarios">
      {kept.map(({ name, hash, saved }) => (
        <li key={name} class="row">
          <label class="check">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={!chosen.includes(name) && chosen.length >= kMost}
              onChange={({ currentTarget }) =>
                choose(currentTarget.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
              }
            />
            <span>{name}</span>
          </label>
          <span class="note">
            {messages.screens[routeOf(hash).screen]}, {saved}
          </span>
          <a href={hash}>{texts.open}</a>
          <button
            type="button"
            class="small"
            aria-label={fill(texts.removeScenario, { name })}
            onClick={() => removeScenario(name)}
          >
            {texts.remove}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A browser may forget what it keeps, so the list can be carried away as a file. */
function Files() {
  const [said, setSaid] = useState("");
  return (
    <div class="row table-tools">
      <button
        type="button"
        class="small"
        disabled={scenarios.value.length === 0}
        onClick={() =>
          keepFile("podwright-scenarios.json", JSON.stringify(scenarios.value, null, 2), "application/json")
        }
      >
        {texts.exportScenarios}
      </button>
      <label class="file">
        <span>{texts.importScenarios}</span>
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined)
              void file.text().then((text) => setSaid(fill(texts.imported, importScenarios(text))));
          }}
        />
      </label>
      <output class="note" aria-live="polite">
        {said}
      </output>
    </div>
  );
}

interface Column {
  name: string;
  page: Page;
}

/** The page of a kept scenario: its request asked anew, beside the address bar. */
async function openColumn(plan: Page, { name, hash }: Scenario): Promise<Column> {
  const screen = pageOf(routeOf(hash).screen);
  const { initial } = plan.state;
  const preset = screen === "plan" ? initial.preset : (await loadRequests(screen)).examples[0]?.request;
  const link = await decodeLink(preset ?? {}, hash);
  const request = link.kind === "state" ? link.request : (preset ?? {});
  const asking = screen === "plan" ? undefined : ({ screen, explain: explainOf(screen) } as const);
  const page = await openBeside(initial, request, asking);
  if (link.kind === "state") page.state.selected.value = link.plan;
  return { name, page };
}

function explainOf(screen: PageName): "at the top" | "never" {
  return screen === "statements" ? "never" : "at the top";
}

function SideBySide({ plan, shown }: { plan: Page; shown: readonly Scenario[] }) {
  const [columns, setColumns] = useState<readonly Column[]>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    Promise.all(shown.map((scenario) => openColumn(plan, scenario))).then(setColumns, () => setFailed(true));
  }, []);
  if (failed) return <p class="notice">{texts.dataFailed}</p>;
  if (columns === undefined) return <p class="note opening">{messages.updating}</p>;
  const explained = columns.find(({ page }) => page.state.explaining.value !== undefined);
  return (
    <>
      {explained === undefined ? null : (
        <PageContext.Provider value={explained.page}>
          <LazyExplanation />
        </PageContext.Provider>
      )}
      <section class="card compare" aria-labelledby="side-by-side">
        <h2 id="side-by-side">{texts.sideBySide}</h2>
        <p class="note">{columns.length < 2 ? texts.compareHint : texts.compareNote}</p>
        <Table columns={columns} places={mainPlaces(columns)} caption={texts.mainNumbers} />
        <Disclosure summary={texts.allNumbers}>
          {() => <Table columns={columns} places={differingPlaces(columns)} caption={texts.allNumbers} />}
        </Disclosure>
      </section>
    </>
  );
}

/** What people ask first of a plan; of other answers the first numbers that differ. */
const kMainPlaces = [
  "/plans/0/gpu_count",
  "/plans/0/architecture/nodes",
  "/plans/0/cost/cloud/usd_per_hour",
  "/plans/0/cost/cloud/as_needed_usd_per_year",
  "/plans/0/cost/on_premises/annual_usd",
  "/plans/0/cost/cloud/usd_per_million_output_tokens",
  "/plans/0/estimates/0/latency/ttft_s",
  "/plans/0/estimates/0/latency/tpot_s",
  "/plans/0/estimates/0/run/time_days",
  "/plans/0/power/facility_kw",
  "/plans/0/racks/total",
];
const kFirstOthers = 12;

function mainPlaces(columns: readonly Column[]): string[] {
  const answers = columns.map(({ page }) => page.state.answer.value);
  const main = kMainPlaces.filter((place) => answers.some((answer) => numberAt(answer, place) !== undefined));
  return main.length > 0 ? main : differingPlaces(columns).slice(0, kFirstOthers);
}

/** Places of numbers that are not the same in every column. */
function differingPlaces(columns: readonly Column[]): string[] {
  const answers = columns.map(({ page }) => page.state.answer.value);
  const places = new Set(answers.flatMap((answer) => numberPlaces(answer as unknown as Json)));
  return [...places].filter((place) => {
    const values = new Set(answers.map((answer) => numberAt(answer, place)));
    return values.size > 1 || answers.length === 1;
  });
}

/** Every number of an answer by its place; of lists only the first item, and no bounds. */
export function numberPlaces(value: Json, place = ""): string[] {
  if (typeof value === "number") return /_(low|high|p\d+)$/.test(place) ? [] : [place];
  if (Array.isArray(value)) {
    const first = value[0];
    return isObject(first) ? numberPlaces(first, `${place}/0`) : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    place === "" && (key === "trace" || key === "assumptions" || key === "pareto")
      ? []
      : numberPlaces(item, `${place}/${pointerToken(key)}`),
  );
}

function placeLabel(place: string): string {
  const words = place
    .split("/")
    .filter((word) => word !== "" && !/^\d+$/.test(word) && word !== "plans" && word !== "estimates");
  return words.map(labelOf).join(", ");
}

interface TableProps {
  columns: readonly Column[];
  places: readonly string[];
  caption: string;
}

function Table({ columns, places, caption }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="wide-table" tabIndex={0}>
      {/* The roles stay when a narrow screen turns rows into cards. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
      <table class="plain rows stacking" role="table">
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {texts.number}
            </th>
            {columns.map(({ name }) => (
              <th key={name} role="columnheader" scope="col" class="numeric">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {places.map((place) => (
            <tr key={place} role="row">
              <th role="rowheader" scope="row">
                {placeLabel(place)}
              </th>
              {columns.map(({ name, page }) => (
                <td key={name} role="cell" class="numeric" data-label={name}>
                  <PageContext.Provider value={page}>
                    {numberAt(page.state.answer.value, place) === undefined ? (
                      <span class="none">–</span>
                    ) : (
                      <Figure place={place} />
                    )}
                  </PageContext.Provider>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
    </section>
  );
}
