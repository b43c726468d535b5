/** The GPUs that gave no plan, each with its reason and the ways out as buttons. */

import type { Rejected } from "../contract.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf } from "../state.ts";
import { translated } from "../translation.ts";
import { Fold } from "./fold.tsx";
import { WaysOut } from "./ways_out.tsx";

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
          <p>{translated(item)}</p>
          <WaysOut reason={item} />
        </li>
      ))}
    </ul>
  );
}
