/** Where only some of the users are served at once: a button with the replicas that serve all of them, which the engine is asked for. */
import { useEffect, useState } from "preact/hooks";
import { fieldText } from "../format.ts";
import { isObject, type JsonObject, numberAt, withValue } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { askEngine } from "../pages.ts";
import { texts } from "./texts.ts";

const kReplicas = "/parallelism/data";
const kMostReplicas = 4096;

/** The same deployment with other replicas; each holds as many GPUs as before. */
function withReplicas(request: JsonObject, now: number, next: number): JsonObject {
  const gpus = numberAt(request, "/gpu_count");
  const moved = withValue(request, kReplicas, next) as JsonObject;
  return gpus === undefined ? moved : { ...moved, gpu_count: (gpus * next) / now };
}

/** True where the engine lets all of the users in. */
async function servesAll(request: JsonObject, asked: number): Promise<boolean> {
  const answer: unknown = JSON.parse(await askEngine({ ...request, explain: false }));
  return isObject(answer) && (numberAt(answer, "/admitted_concurrency") ?? 0) >= asked;
}

/** The fewest replicas that serve all; undefined where not even the most do. */
export async function enoughReplicas(
  now: number,
  isEnough: (replicas: number) => Promise<boolean>,
): Promise<number | undefined> {
  let few = now;
  let many = now * 2;
  while (!(await isEnough(many))) {
    if (many >= kMostReplicas) return undefined;
    few = many;
    many *= 2;
  }
  while (many - few > 1) {
    const middle = Math.floor((few + many) / 2);
    if (await isEnough(middle)) many = middle;
    else few = middle;
  }
  return many;
}

export function EnoughReplicas() {
  const { state, controller } = usePage();
  const request = state.answered.value;
  const asked = numberAt(request, "/load/concurrency");
  const admitted = numberAt(state.answer.value, "/admitted_concurrency");
  const now = numberAt(request, kReplicas);
  const waits =
    state.answer.value.kind === "serving" && asked !== undefined && admitted !== undefined && admitted < asked;
  const question = waits && now !== undefined ? JSON.stringify(request) : undefined;
  const [found, setFound] = useState<{ question: string; replicas: number }>();
  useEffect(() => {
    if (question === undefined || now === undefined || asked === undefined) return;
    let isCurrent = true;
    const isEnough = (replicas: number) => servesAll(withReplicas(request, now, replicas), asked);
    enoughReplicas(now, isEnough).then(
      (replicas) => {
        if (isCurrent && replicas !== undefined) setFound({ question, replicas });
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [question]);
  if (question === undefined || now === undefined || asked === undefined || found?.question !== question) return null;
  const { replicas } = found;
  const change = fill(texts.replicasFromTo, { now: fieldText(now), next: fieldText(replicas) });
  return (
    <ul class="row ways" aria-label={messages.waysOut}>
      <li>
        <button type="button" onClick={() => controller.edit("", withReplicas(request, now, replicas))}>
          {change}
        </button>{" "}
        <span class="note">{fill(texts.servesAll, { asked: fieldText(asked) })}</span>
      </li>
    </ul>
  );
}
