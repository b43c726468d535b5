/** What the folds of a plan hold, and the list of assumptions: loaded when the first of them is opened. */

import type { Assumption, FiredRule, Message } from "../contract.ts";
import { figureText, phrase } from "../format.ts";
import { isObject, valueAt } from "../json.ts";
import { labelOf, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { ObjectView } from "../screens/answer_part.tsx";
import { fieldLabelAt } from "../screens/field_names.ts";
import { OnPhoneFolded } from "../screens/phone_fold.tsx";
import { PlanRoofline } from "../screens/plan_roofline.tsx";
import { texts } from "../screens/texts.ts";
import { wordText } from "../screens/words.ts";
import { shownPlan } from "../state.ts";
import { translated } from "../translation.ts";
import { Texts } from "./fold.tsx";
import { Quantities } from "./quantities.tsx";
import { documentText, SourceList } from "./sources.tsx";

/** Groups of numbers under `estimates`, each with a title of its own. */
const kGroups = ["latency", "throughput", "kv_cache", "step", "run"] as const;

function useHas(place: string): (inner: string) => boolean {
  const answer = usePage().state.answer.value;
  return (inner) => isObject(valueAt(answer, place + inner));
}

/** What the answer holds at a place: numbers with their intervals and percentiles, words, what is nested. */
function Numbers({ place, skip }: { place: string; skip?: readonly string[] }) {
  const value = valueAt(usePage().state.answer.value, place);
  return isObject(value) ? <ObjectView place={place} object={value} skip={skip} /> : null;
}

/** Numbers of the estimate at a place, under what limits it. */
export function EstimateBody({ place, limit }: { place: string; limit: Message | undefined }) {
  const has = useHas(place);
  return (
    <>
      {limit === undefined ? null : <p>{translated(limit)}</p>}
      <Numbers place={place} skip={["workload", "memory_per_gpu", "binding", "stable", ...kGroups]} />
      {kGroups.map((group) =>
        has(`/${group}`) ? (
          <div key={group}>
            <h3>{labelOf(group)}</h3>
            <Numbers place={`${place}/${group}`} />
          </div>
        ) : null,
      )}
      {has("/latency") ? <PlanRoofline place={place} /> : null}
    </>
  );
}

/** What was chosen; how well it keeps the limits is said where the plan is judged. */
export function LayoutBody({ place }: { place: string }) {
  return (
    <>
      <p class="note">{texts.chosenLayout}</p>
      <Quantities place={place} skip={["workload", "gpu_count", "limits"]} plain />
    </>
  );
}

const kWays = ["cloud", "committed", "on_premises", "hybrid", "break_even"] as const;

export function CostBody({ place }: { place: string }) {
  const has = useHas(place);
  return (
    <>
      {kWays.map((way) =>
        has(`/${way}`) ? (
          <OnPhoneFolded key={way} summary={labelOf(way)}>
            <h3>{labelOf(way)}</h3>
            <Numbers place={`${place}/${way}`} />
          </OnPhoneFolded>
        ) : null,
      )}
    </>
  );
}

/** Architecture, racks and power of the plan at a place. */
export function ArchitectureBody({ place }: { place: string }) {
  const { state } = usePage();
  const has = useHas(place);
  const rules = shownPlan(state)?.plan.architecture?.rules_fired ?? [];
  return (
    <>
      <Numbers place={`${place}/architecture`} skip={["architecture", "system", "rules_fired"]} />
      {has("/racks") ? <h3>{texts.racksTitle}</h3> : null}
      <Numbers place={`${place}/racks`} />
      {has("/power") ? <h3>{texts.powerTitle}</h3> : null}
      <Numbers place={`${place}/power`} />
      <Numbers place={`${place}/energy`} />
      {rules.length === 0 ? null : (
        <>
          <h3>{texts.rulesFired}</h3>
          <Rules rules={rules} />
        </>
      )}
    </>
  );
}

function Rules({ rules }: { rules: readonly FiredRule[] }) {
  return (
    <ul class="texts">
      {rules.map(({ text, source }) => (
        <li key={text}>
          {text}
          {source === undefined || source === "" ? null : (
            <p class="note">
              <SourceList sources={source.split("; ")} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Where a value comes from: a sentence, which a page of the documents may follow. */
function sourceText(source: string): string {
  const [, said = source, page = ""] = /^(.*?)((?:, )?docs\/\S+)$/.exec(source) ?? [];
  return translated(said) + documentText(page);
}

/** Values that the request left open. */
export function AssumptionsBody({ items }: { items: readonly Assumption[] }) {
  const { state } = usePage();
  const said = items.flatMap(({ message }) => message ?? []);
  const values = items.filter(({ path }) => path !== undefined);
  const text = (value: unknown, key: string) =>
    typeof value === "string"
      ? wordText(state, value, key)
      : typeof value === "boolean"
        ? value
          ? messages.yes
          : messages.no
        : typeof value === "number"
          ? phrase(figureText(key, value))
          : JSON.stringify(value);
  return (
    <>
      {said.length === 0 ? null : <Texts items={said} />}
      {values.length === 0 ? null : (
        <>
          <p class="note">{texts.assumptionsNote}</p>
          <table class="plain assumptions">
            <thead>
              <tr>
                <th scope="col">{texts.assumptionName}</th>
                <th scope="col">{messages.assumptionValue}</th>
                <th scope="col">{messages.assumptionSource}</th>
              </tr>
            </thead>
            <tbody>
              {values.map(({ path = "", value, source = "" }) => {
                const key = path.split("/").at(-1) ?? "";
                return (
                  <tr key={path}>
                    <th scope="row" title={path}>
                      {fieldLabelAt(path)}
                    </th>
                    <td>{text(value, key)}</td>
                    <td>{sourceText(source)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </>
      )}
    </>
  );
}
