/** Scenarios kept in this browser, and up to four of them side by side; where none is kept, the plan next to suggested variants. */
import { useEffect, useState } from "preact/hooks";
import { fill, messages } from "../messages.ts";
import { type Page, PageContext } from "../page.ts";
import { routeOf } from "../route.ts";
import { keepFile } from "../tools/keep_file.ts";
import { textOf } from "../tools/read_file.ts";
import { importScenarios, removeScenario, type Scenario, saveScenario, scenarios } from "../tools/scenarios.ts";
import { Disclosure } from "../views/fold.tsx";
import { Frame } from "../views/frame.tsx";
import { LazyExplanation } from "../views/lazy.tsx";
import { type Column, openColumns, planAddress } from "./compare_columns.ts";
import { CompareTable, differingRows, inputRows, mainRows } from "./compare_table.tsx";
import { loadPlaces } from "./places.ts";
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
      <SideBySide key={shown.map(({ hash }) => hash).join(" ")} plan={plan} shown={shown} />
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
        const isKept = saveScenario(name, planAddress());
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
            onClick={() => {
              removeScenario(name);
              choose(chosen.filter((other) => other !== name));
            }}
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
              void textOf(file).then((read) =>
                setSaid("fault" in read ? read.fault : fill(texts.imported, importScenarios(read.text))),
              );
          }}
        />
      </label>
      <output class="note" aria-live="polite">
        {said}
      </output>
    </div>
  );
}

function SideBySide({ plan, shown }: { plan: Page; shown: readonly Scenario[] }) {
  const [columns, setColumns] = useState<readonly Column[]>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    // Countries by their names; without them by their codes.
    const places = loadPlaces().catch(() => undefined);
    Promise.all([openColumns(plan, shown), places]).then(
      ([opened]) => isCurrent && setColumns(opened),
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  if (failed) return <p class="notice">{texts.dataFailed}</p>;
  if (columns === undefined) return <p class="note opening">{messages.updating}</p>;
  const explained = columns.find(({ page }) => page.state.explaining.value !== undefined);
  const inputs = inputRows(columns);
  return (
    <>
      {explained === undefined ? null : (
        <PageContext.Provider value={explained.page}>
          <LazyExplanation />
        </PageContext.Provider>
      )}
      {shown.length > 0 ? null : <Suggested columns={columns.slice(1)} />}
      <section class="card compare changed" aria-labelledby="changed-inputs">
        <h2 id="changed-inputs">{texts.changedInputs}</h2>
        {inputs.length === 0 ? (
          <p class="note">{texts.sameInputs}</p>
        ) : (
          <CompareTable columns={columns} rows={inputs} caption={texts.changedInputs} head={texts.groupInput} />
        )}
      </section>
      <section class="card compare results" aria-labelledby="side-by-side">
        <h2 id="side-by-side">{texts.results}</h2>
        <p class="note">{fill(texts.compareNote, { first: columns[0]?.name ?? "" })}</p>
        <CompareTable columns={columns} rows={mainRows(columns)} caption={texts.mainNumbers} head={texts.number} />
        <Disclosure summary={texts.allNumbers}>
          {() => (
            <CompareTable
              columns={columns}
              rows={differingRows(columns)}
              caption={texts.allNumbers}
              head={texts.number}
            />
          )}
        </Disclosure>
      </section>
    </>
  );
}

/** What else could be asked: to go on with, or to keep. */
function Suggested({ columns }: { columns: readonly Column[] }) {
  const [said, setSaid] = useState("");
  return (
    <section class="card" aria-labelledby="suggested">
      <h2 id="suggested">{texts.suggested}</h2>
      <ul class="scenarios">
        {columns.map(({ name, hash }) => (
          <li key={name} class="row">
            <span class="check">{name}</span>
            <a href={hash} aria-label={fill(texts.openVariant, { name })}>
              {texts.open}
            </a>
            <button
              type="button"
              class="small"
              aria-label={fill(texts.pinVariant, { name })}
              onClick={() => setSaid(saveScenario(name, hash) ? fill(texts.savedAs, { name }) : texts.notKept)}
            >
              {texts.save}
            </button>
          </li>
        ))}
      </ul>
      <output class="note" aria-live="polite">
        {said}
      </output>
    </section>
  );
}
