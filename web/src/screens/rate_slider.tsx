/** A slider for the peak rate, in equal steps of its logarithm, rounded to two digits. The mean keeps its share of the peak. */
import { scaleLog } from "d3-scale";
import { useRef } from "preact/hooks";
import { fieldText } from "../format.ts";
import { canonical, isObject, numberAt, valueAt } from "../json.ts";
import { messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { kPeak, kWorkload, meanShare, withPeak } from "./plan_question.ts";

const kSteps = 200;
const kRates = [0.1, 1000];
const rateScale = scaleLog(kRates, [0, kSteps]).clamp(true);

export function RateSlider() {
  const { state, controller } = usePage();
  const request = state.request.value;
  const rate = numberAt(request, kPeak) ?? 0;
  // Rounded rates would wear the share away step by step, so it stays what it was before the first of them.
  const moved = useRef<{ text: string; share: number | undefined } | undefined>(undefined);
  const move = (step: number) => {
    const now = state.request.peek();
    const last = moved.current;
    const share = last?.text === canonical(now) ? last.share : meanShare(now);
    const next = withPeak(now, rateScale.invert(step), share);
    moved.current = { text: canonical(next), share };
    const workload = valueAt(next, kWorkload);
    if (isObject(workload)) controller.edit(kWorkload, workload);
  };
  const hold = () => {
    state.isHeld.value = true;
    const letGo = new AbortController();
    const end = () => {
      letGo.abort();
      state.isHeld.value = false;
    };
    for (const ends of ["pointerup", "pointercancel", "blur"]) addEventListener(ends, end, { signal: letGo.signal });
  };
  return (
    <div class="field wide slider">
      <input
        type="range"
        min="0"
        max={kSteps}
        step="1"
        aria-label={messages.rateSlider}
        aria-valuetext={fieldText(rate)}
        value={rate > 0 ? Math.round(rateScale(rate)) : 0}
        onPointerDown={hold}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
    </div>
  );
}
