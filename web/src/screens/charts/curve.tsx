/** What curves share besides what every chart has: names below them, and a slider that steps through them. */
import type { Place, TicksProps } from "../../views/chart.tsx";

/** Numbers below the drawing, without lines. */
export function AcrossNames({ ticks, text, x, y }: TicksProps & { x: Place; y: number }) {
  return (
    <>
      {ticks.map((tick) => (
        <text key={tick} class="axis-name" x={x(tick)} y={y} text-anchor="middle">
          {text(tick)}
        </text>
      ))}
    </>
  );
}

interface StepperProps {
  /** Of what is stepped to. */
  label: string;
  last: number;
  at: number;
  /** What is stepped to, as it is read out. */
  spoken: string | undefined;
  choose: (at: number) => void;
}

/** Steps through the parts of a drawing, for the keyboard and for touch. */
export function Stepper({ label, last, at, spoken, choose }: StepperProps) {
  return (
    <label class="row fan-year">
      <span>{label}</span>
      <input
        type="range"
        min="0"
        max={last}
        step="1"
        value={at}
        aria-valuetext={spoken}
        onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
      />
    </label>
  );
}
