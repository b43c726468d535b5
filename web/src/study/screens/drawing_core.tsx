/** A fabric or racks as the core draws them: the engine is asked for the drawing of a design. It is shown as an image, so nothing in it runs. */
import { isObject, valueAt } from "../../json.ts";
import { Failed } from "../../views/lazy.tsx";
import type { CoreDrawing } from "../drawing.ts";
import { coreImage } from "../drawing_core.ts";
import { kColumn } from "./drawing_blocks.tsx";
import { drawingTexts } from "./drawing_texts.ts";
import { Scrolling } from "./scrolling.tsx";
import { useEngine } from "./use_engine.ts";

export function CoreView({ drawing, id }: { drawing: CoreDrawing; id: string }) {
  const { answer, busy, again } = useEngine(drawing.request);
  const exported = valueAt(answer, "/designs/0/exports/0");
  const image = isObject(exported) && typeof exported.text === "string" ? coreImage(exported.text) : undefined;
  if (image === undefined)
    return busy ? <p class="note">{drawingTexts.coreBusy}</p> : <Failed text={drawingTexts.coreFailed} again={again} />;
  const { svg, title, description, width, height } = image;
  return (
    <>
      <Scrolling class="drawing-scroll drawing-of-core" label={drawingTexts.scrolls} hint>
        <img
          src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
          alt={`${drawing.title}. ${title}`}
          aria-describedby={`${id}-shows`}
          class={width > kColumn ? "wider" : undefined}
          style={{ "--own-width": `${width}px` }}
          width={width}
          height={height}
        />
      </Scrolling>
      <details class="drawing-words">
        <summary>{drawingTexts.words}</summary>
        <ul>
          <li>{title}</li>
          <li>{description}</li>
        </ul>
      </details>
    </>
  );
}
