/** A chart as a file: the drawing, a picture of it, and the numbers of its table. What makes them is loaded when it is asked for. */
import { useRef, useState } from "preact/hooks";
import { messages } from "../messages.ts";

const kForms = ["svg", "png", "csv"] as const;
export type ChartForm = (typeof kForms)[number];

/** Stands inside the figure whose chart it keeps. */
export function ChartFiles() {
  const place = useRef<HTMLParagraphElement>(null);
  const [failed, setFailed] = useState(false);
  const keep = (form: ChartForm) => {
    setFailed(false);
    const figure = place.current?.closest("figure");
    if (figure === null || figure === undefined) return;
    import("../tools/chart_files.ts").then(({ keepChart }) => keepChart(figure, form)).catch(() => setFailed(true));
  };
  return (
    <p class="row chart-files" ref={place}>
      {messages.chartFiles}{" "}
      {kForms.map((form) => (
        <button key={form} type="button" class="small" onClick={() => keep(form)}>
          {form.toUpperCase()}
        </button>
      ))}
      <output aria-live="polite">{failed ? messages.chartFailed : ""}</output>
    </p>
  );
}
