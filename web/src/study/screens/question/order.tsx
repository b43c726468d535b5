/** Steps to bring into order, by two buttons at each. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { moved, orderOf, ordinalOf } from "../../answering.ts";
import type { ControlProps } from "./choices.tsx";
import { questionTexts } from "./texts.ts";

interface Moved {
  option: number;
  by: number;
}

export function Order({ question, answer, onAnswer }: ControlProps) {
  const order = orderOf(question, answer);
  const [last, setLast] = useState<Moved>();
  const list = useRef<HTMLOListElement>(null);
  const move = (place: number, by: number) => {
    setLast({ option: order[place] ?? 0, by });
    onAnswer(moved(order, place, by));
  };
  // The focus goes with the step: a moved element may lose it, and at an end its button has nowhere to go.
  useEffect(() => {
    if (last === undefined) return;
    const step = list.current?.querySelector(`[data-option="${last.option}"]`);
    const [up, down] = step?.querySelectorAll("button") ?? [];
    const same = last.by < 0 ? up : down;
    (same?.disabled ? (last.by < 0 ? down : up) : same)?.focus();
  }, [last, answer]);
  return (
    <div class="question-order">
      <p class="note">{questionTexts.orderNote}</p>
      <ol class="stack" ref={list}>
        {order.map((option, i) => {
          const text = question.options[option]?.text ?? "";
          return (
            <li key={option} class="row" data-option={option}>
              <span class="option-text">
                <b>{i + 1}</b> {text}
              </span>
              <span class="order-buttons">
                <button
                  type="button"
                  class="small"
                  disabled={i === 0}
                  aria-label={fill(questionTexts.moveUp, { text })}
                  onClick={() => move(i, -1)}
                >
                  ↑ {questionTexts.up}
                </button>
                <button
                  type="button"
                  class="small"
                  disabled={i === order.length - 1}
                  aria-label={fill(questionTexts.moveDown, { text })}
                  onClick={() => move(i, 1)}
                >
                  ↓ {questionTexts.down}
                </button>
              </span>
            </li>
          );
        })}
      </ol>
      <p class="hidden" role="status">
        {last === undefined
          ? ""
          : fill(questionTexts.movedTo, {
              text: question.options[last.option]?.text ?? "",
              place: ordinalOf(order, last.option),
              count: order.length,
            })}
      </p>
    </div>
  );
}
