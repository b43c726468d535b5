/** The GPUs that gave no plan, each with its reason and the ways out as buttons. */
import { useEffect } from "preact/hooks";
import type { Rejected } from "../contract.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf } from "../state.ts";
import { translated } from "../translation.ts";
import { Fold } from "./fold.tsx";
import { Failed, lazy } from "./lazy.tsx";
import { Said } from "./sentence.tsx";

/** Above this many, the list waits folded. */
const kAtOnce = 4;

export function RejectedGpus() {
  const { state } = usePage();
  const { plans = [], rejected = [] } = state.answer.value;
  // Without any plan the reasons stand in the headline's place already.
  if (plans.length === 0 || rejected.length === 0) return null;
  const title = fill(messages.rejectedTitle, { count: rejected.length });
  if (rejected.length > kAtOnce)
    return (
      <Fold title={title}>
        <RejectedList items={rejected} />
      </Fold>
    );
  return (
    <section class="card" aria-labelledby="rejected">
      <h2 id="rejected">{title}</h2>
      <RejectedList items={rejected} />
    </section>
  );
}

export function RejectedList({ items }: { items: readonly Rejected[] }) {
  const { state } = usePage();
  return (
    <ul class="rejected">
      {items.map((item) => (
        <li key={`${item.gpu}${item.message}`}>
          {item.gpu === undefined ? null : <b>{nameOf(state.initial.gpus, item.gpu)}</b>}
          <p>
            <Said text={translated(item)} />
          </p>
          <Ways reason={item} />
        </li>
      ))}
    </ul>
  );
}

/** The code comes with the first reason that has a way out. */
export const waysOut = lazy(async () => (await import("./ways_out.tsx")).WaysOut);

function Ways({ reason }: { reason: Rejected }) {
  const hasSome = (reason.ways_out ?? []).length > 0;
  useEffect(() => {
    if (hasSome) waysOut.load();
  }, [hasSome]);
  if (!hasSome) return null;
  if (waysOut.failed.value) return <Failed again={waysOut.load} />;
  const Loaded = waysOut.view.value;
  return Loaded === undefined ? null : <Loaded reason={reason} />;
}
