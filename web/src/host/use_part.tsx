/** The machine's rates in the requests of other screens, and what they change of the plan's sentence. */
import { useEffect, useState } from "preact/hooks";
import type { Plan } from "../contract.ts";
import { figureText, phrase } from "../format.ts";
import { canonical, type Json, type JsonObject, numberAt } from "../json.ts";
import { language } from "../language.ts";
import { fill, labelOf, messages } from "../messages.ts";
import type { Page } from "../page.ts";
import { askEngine } from "../pages.ts";
import { readReply } from "../replies.ts";
import { addressOf, type PageName } from "../route.ts";
import { NumbersTable } from "../screens/charts/chart_table.tsx";
import { editPage, pageFor } from "../screens/page_of_screen.ts";
import { loadRequests } from "../screens/requests.ts";
import { nameOf } from "../state.ts";
import { translated } from "../translation.ts";
import { ScreenLink } from "../views/screen_link.tsx";
import { fleetRequest, gpusOf, hasCalibration, withCalibration } from "./calibrated_requests.ts";
import { calibrated, imported, listOf, profileOf } from "./host_state.ts";
import { Card } from "./parts.tsx";
import { hostTexts } from "./texts.ts";

/** Do plans count with another rate for it than the catalog's? */
export const isTaken = ({ planned_with: now, planned_without: before }: JsonObject) =>
  typeof now === "number" && now !== before;

export function UsePart({ plan }: { plan: Page }) {
  const calibration = calibrated.value?.calibration;
  if (calibration === undefined) return null;
  const rates = listOf(imported.value, "rates");
  return (
    <Card id="host-use" title={hostTexts.useTitle}>
      <p>{hostTexts.useNote}</p>
      <p>{fill(hostTexts.ratesTaken, { taken: rates.filter(isTaken).length, count: rates.length })}</p>
      <UseIn screen="plan" label={hostTexts.usePlan} plan={plan} calibration={calibration} />
      <UseIn screen="serving" label={hostTexts.useServing} plan={plan} calibration={calibration} />
      <UseIn screen="training" label={hostTexts.useTraining} plan={plan} calibration={calibration} />
      <BeforeAndAfter plan={plan} calibration={calibration} />
      <Fleet plan={plan} calibration={calibration} />
    </Card>
  );
}

interface UseInProps {
  screen: PageName;
  label: string;
  plan: Page;
  calibration: Json;
}

function UseIn({ screen, label, plan, calibration }: UseInProps) {
  const [page, setPage] = useState<Page | undefined>(screen === "plan" ? plan : undefined);
  useEffect(() => {
    pageFor(screen, plan).then(setPage, () => undefined);
  }, [screen, plan]);
  if (page === undefined) return null;
  const request = page.state.request.value;
  const isUsed = hasCalibration(request, calibration);
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isUsed}
        onChange={() => void editPage(page, withCalibration(request, isUsed ? undefined : calibration))}
      />
      <span>{label}</span>
    </label>
  );
}

/** What a plan says of the machine's GPU, or of its best GPU where it has none of the machine's. */
interface Said {
  sentence: string;
  isOfMachine: boolean;
  plan?: Plan;
}

async function saidOf(request: JsonObject, gpus: readonly string[]): Promise<Said> {
  const reply = readReply(await askEngine(request));
  if (reply.kind === "errors") return { sentence: reply.errors[0]?.message ?? "", isOfMachine: false };
  if (reply.kind === "unreadable") return { sentence: "", isOfMachine: false };
  const { plans = [], reasons = [] } = reply.answer;
  const own = plans.find(({ gpu }) => gpu !== undefined && gpus.includes(gpu));
  const plan = own ?? plans[0];
  return {
    sentence: sentenceOf(plan) ?? (reasons[0] === undefined ? hostTexts.noPlan : translated(reasons[0])),
    isOfMachine: own !== undefined,
    plan,
  };
}

/** The engine's own sentence, which it writes in English alone; in another language what the plan is made of. */
function sentenceOf(plan: Plan | undefined): string | undefined {
  if (plan?.gpu_count === undefined || language.value === "en") return plan?.summary;
  const size = fill(messages.planSummary, { gpu_count: plan.gpu_count, gpu: plan.gpu_name ?? plan.gpu ?? "" });
  return plan.decision === undefined ? size : `${size}。${translated(plan.decision)}`;
}

const kFigures = ["/gpu_count", "/estimates/0/latency/ttft_s", "/estimates/0/latency/tpot_s"];

/** A figure of a plan with its interval. */
function figureOf(plan: Plan | undefined, place: string): string {
  const key = place.split("/").at(-1) ?? "";
  const text = (at: string) => {
    const value = numberAt(plan, at);
    return value === undefined ? undefined : phrase(figureText(key, value));
  };
  const [middle, low, high] = [text(place), text(`${place}_low`), text(`${place}_high`)];
  return low === undefined || high === undefined ? (middle ?? "–") : `${middle} (${low} – ${high})`;
}

function BeforeAndAfter({ plan, calibration }: { plan: Page; calibration: Json }) {
  const request = plan.state.request.value;
  const profile = profileOf(imported.value);
  const [said, setSaid] = useState<{ before: Said; after: Said }>();
  useEffect(() => {
    let isCurrent = true;
    setSaid(undefined);
    const gpus = profile === undefined ? [] : [...gpusOf(profile).keys()];
    const ask = async () => {
      const before = await saidOf(withCalibration(request, undefined), gpus);
      const after = await saidOf(withCalibration(request, calibration), gpus);
      if (isCurrent) setSaid({ before, after });
    };
    ask().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [request, calibration, profile]);
  // Nobody asked for the plan's example: who did opens it.
  const isExample = canonical(withCalibration(request, undefined)) === canonical(plan.state.initial.preset);
  const answered = said === undefined ? <p role="status">{hostTexts.askingPlans}</p> : <Sentences {...said} />;
  return (
    <>
      {isExample ? (
        <details>
          <summary>{hostTexts.exampleOfPlan}</summary>
          {answered}
        </details>
      ) : (
        answered
      )}
      {/* Stays where it is while plans are asked for: it may have the focus. */}
      <p>
        <ScreenLink screen="plan">{hostTexts.openPlan}</ScreenLink>
      </p>
    </>
  );
}

function Sentences({ before, after }: { before: Said; after: Said }) {
  return (
    <div class="before-after" role="status">
      <p class="note">{after.isOfMachine ? hostTexts.ownGpu : hostTexts.otherGpu}</p>
      <dl>
        <dt>{hostTexts.before}</dt>
        <dd>{before.sentence}</dd>
        <dt>{hostTexts.after}</dt>
        <dd>{after.sentence}</dd>
      </dl>
      {before.sentence === after.sentence ? <p>{hostTexts.sameSentence}</p> : null}
      <NumbersTable
        columns={[hostTexts.figure90, hostTexts.before, hostTexts.after]}
        rows={kFigures.map((place) => ({
          key: place,
          cells: [labelOf(place.split("/").at(-1) ?? ""), figureOf(before.plan, place), figureOf(after.plan, place)],
        }))}
      />
    </div>
  );
}

function Fleet({ plan, calibration }: { plan: Page; calibration: Json }) {
  const profile = profileOf(imported.value);
  const gpus = profile === undefined ? [] : [...gpusOf(profile)];
  const open = async (gpu: string, count: number) => {
    const page = await pageFor("deployments", plan);
    const preset = (await loadRequests("deployments")).examples[0]?.request;
    if (page === undefined || preset === undefined) return;
    await editPage(page, fleetRequest(plan.state.request.value, preset, gpu, count, calibration));
    location.hash = addressOf("deployments");
  };
  return (
    <>
      <h3>{hostTexts.fleetTitle}</h3>
      {gpus.length === 0 ? <p>{hostTexts.fleetNone}</p> : null}
      {gpus.map(([gpu, count]) => {
        const parts = { gpu_count: count, gpu: nameOf(plan.state.initial.gpus, gpu) };
        return (
          <div key={gpu}>
            <p>{fill(hostTexts.fleetNote, parts)}</p>
            <button type="button" onClick={() => void open(gpu, count)}>
              {fill(hostTexts.fleetOpen, parts)}
            </button>
          </div>
        );
      })}
    </>
  );
}
