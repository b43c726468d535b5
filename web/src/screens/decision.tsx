/** What the typical numbers decide between owning and renting, and beside it what the simulations of the uncertain inputs say. */
import { numberAt, textAt, valueAt } from "../json.ts";
import { usePage } from "../page.ts";
import { Sentence } from "../views/sentence.tsx";
import { texts } from "./texts.ts";
import { Amount, type PlaceProps } from "./value.tsx";

/** What the sentences say. */
export const kSaidByDecision = ["cheapest", "saving_usd", "saving_fraction", "nearly_equal"];

/** Which option the typical numbers make cheapest, and by how much; nothing where there is only one. */
export function DecisionSentence({ place }: PlaceProps) {
  const { state } = usePage();
  const answer = state.answer.value;
  const names: Record<string, string> = texts.costWays;
  const [first, second] = [0, 1].map((at) => {
    const way = textAt(answer, `${place}/ways/${at}/way`);
    return way === undefined ? undefined : (names[way] ?? way);
  });
  if (second === undefined) return null;
  const isEqual = valueAt(answer, `${place}/nearly_equal`) === true;
  return (
    <Sentence
      template={isEqual ? texts.decisionEqual : texts.decisionCheaper}
      parts={{
        first,
        second,
        saving: <Amount place={`${place}/saving_usd`} />,
        share: <Amount place={`${place}/saving_fraction`} />,
      }}
    />
  );
}

export function CostDecision({ place }: PlaceProps) {
  const { state } = usePage();
  const answer = state.answer.value;
  const cheapest = textAt(answer, `${place}/cheapest`);
  const draws = place.replace(/\/decision$/, "/distribution");
  const owning = numberAt(answer, `${draws}/probability_owning_is_cheaper`);
  const isUnlike =
    owning !== undefined && ((cheapest === "own" && owning < 0.5) || (cheapest === "rent" && owning > 0.5));
  return (
    <>
      <p>
        <DecisionSentence place={place} />
      </p>
      {owning === undefined ? null : (
        <p>
          <Sentence
            template={texts.decisionDraws}
            parts={{
              share: <Amount place={`${draws}/probability_owning_is_cheaper`} />,
              draws: <Amount place={`${draws}/draws`} />,
            }}
          />{" "}
          {isUnlike ? texts.decisionUnlike : null}
        </p>
      )}
    </>
  );
}
