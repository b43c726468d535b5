/** Marks of a chart that can be chosen, by pointer and by keyboard: one stop of the Tab key, arrows step from mark to mark. */
import { useRef, useState } from "preact/hooks";
import { Mark, seriesClass } from "./chart.tsx";

export interface Choosable {
  key: string;
  /** Place across, in percent of the drawing. */
  x: number;
  y: number;
  /** Which of the series; below 0 it has no name of its own. */
  series: number;
  /** What the mark is. */
  text: string;
  /** Larger than the others, as a plan among layouts. */
  large?: boolean;
  /** Outside of a limit. */
  beyond?: boolean;
  /** Nothing happens where it is absent. */
  choose?: () => void;
}

const kSteps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

interface ChoosableMarksProps {
  marks: readonly Choosable[];
  /** Of the mark that is pointed at or has the focus. */
  say: (text: string | undefined) => void;
}

export function ChoosableMarks({ marks, say }: ChoosableMarksProps) {
  const [current, setCurrent] = useState<string>();
  const group = useRef<SVGGElement>(null);
  const isThere = marks.some(({ key }) => key === current);
  const stop = isThere ? current : (marks.find(({ large }) => large) ?? marks[0])?.key;
  const onKey = (event: KeyboardEvent, mark: Choosable) => {
    const step = kSteps[event.key];
    if (event.key === "Enter" || event.key === " ") mark.choose?.();
    else if (step === undefined) return;
    const next = step === undefined ? undefined : marks.at((marks.indexOf(mark) + step) % marks.length);
    if (next !== undefined) {
      setCurrent(next.key);
      group.current?.querySelector<SVGElement>(`[data-mark="${CSS.escape(next.key)}"]`)?.focus();
    }
    event.preventDefault();
  };
  return (
    <g ref={group}>
      {marks.map((mark) => (
        // biome-ignore lint/a11y/useSemanticElements: SVG has no button
        <g
          key={mark.key}
          data-mark={mark.key}
          class={`choosable ${seriesClass(mark.series)}${mark.beyond ? " beyond" : ""}`}
          role="button"
          aria-label={mark.text}
          tabIndex={mark.key === stop ? 0 : -1}
          onClick={mark.choose}
          onKeyDown={(event) => onKey(event, mark)}
          onFocus={() => {
            setCurrent(mark.key);
            say(mark.text);
          }}
          onBlur={() => say(undefined)}
          onPointerEnter={() => say(mark.text)}
          onPointerLeave={() => say(undefined)}
        >
          <svg x={`${mark.x}%`} y={mark.y} class="mark" aria-hidden="true">
            {/* Larger than the mark, so that a finger finds it. */}
            <circle class="reach" r="11" />
            <Mark series={mark.series} area={mark.large ? 90 : 44} />
          </svg>
        </g>
      ))}
    </g>
  );
}

interface LimitLineProps {
  /** In percent of the drawing. */
  x: number;
  top: number;
  bottom: number;
  /** Its name, in one line or more. */
  lines: readonly string[];
}

/** The line of a limit of the request, upright, with its name beside it. */
export function LimitLine({ x, top, bottom, lines }: LimitLineProps) {
  const isRight = x > 50;
  return (
    <g class="target">
      <line x1={`${x}%`} x2={`${x}%`} y1={top} y2={bottom} />
      {lines.map((line, i) => (
        <text
          key={line}
          x={`${x}%`}
          y={top}
          dy={10 + 15 * i}
          dx={isRight ? -6 : 6}
          text-anchor={isRight ? "end" : "start"}
        >
          {line}
        </text>
      ))}
    </g>
  );
}
