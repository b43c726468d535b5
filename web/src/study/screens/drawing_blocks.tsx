/** Boxes on a grid with the links between them, and the legend of their tones. */

import { kPhone, useIsNarrow } from "../../screens/narrow.ts";
import {
  type BlocksDrawing,
  type DrawingStep,
  isLinkLit,
  kHiddenText,
  kTones,
  type NamedTone,
  toneName,
  toneOf,
  tonesShown,
} from "../drawing.ts";
import { type BoxShape, boxShape, layoutOf, linkShape, linkText } from "../drawing_layout.ts";
import type { PlacedLink } from "../drawing_routes.ts";
import { drawingTexts } from "./drawing_texts.ts";
import { Scrolling } from "./scrolling.tsx";

interface BlocksProps {
  drawing: BlocksDrawing;
  /** Keeps the drawings of a page apart. */
  id: string;
  lit: DrawingStep | undefined;
}

/** Pixels that the column of a lesson's text has for a drawing; a wider one goes beyond it where the page has room. */
export const kColumn = 700;

export function BlocksView({ drawing, id, lit }: BlocksProps) {
  const { boxes, links, view } = layoutOf(drawing, useIsNarrow(kPhone) ? "narrow" : "wide");
  const isLit = (box: BoxShape) => lit?.boxes?.includes(box.placed.box.id) === true;
  const shapes = boxes.map(boxShape);
  return (
    <Scrolling class="drawing-scroll" label={drawingTexts.scrolls} hint first=".asked .name">
      <svg
        class={classOf("blocks", view.width > kColumn && "wider")}
        style={{ "--own-width": `${view.width}px` }}
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-shows`}
        width={view.width}
        height={view.height}
        viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      >
        <title id={`${id}-title`}>{drawing.title}</title>
        <Bands id={id} />
        {shapes.map((shape) => (
          <Box key={shape.placed.box.id} shape={shape} id={id} isLit={isLit(shape)} />
        ))}
        {links.map((link, i) => (
          <Link key={`${i}`} placed={link} all={links} isLit={lit !== undefined && isLinkLit(lit, link.link)} />
        ))}
      </svg>
    </Scrolling>
  );
}

const classOf = (...names: (string | false)[]) => names.filter((one) => one !== false).join(" ");

function Box({ shape, id, isLit }: { shape: BoxShape; id: string; isLit: boolean }) {
  const { placed, band, names, notes } = shape;
  const { box, isFrame, x, y, width, height } = placed;
  const tone = toneOf(box);
  return (
    <g
      class={classOf(
        isFrame ? "box frame" : "box",
        `tone-${tone}`,
        isLit && "lit",
        box.text === kHiddenText && "asked",
      )}
    >
      <rect class="body" x={x} y={y} width={width} height={height} rx="6" />
      {tone === "plain" || isFrame ? null : (
        <>
          <path class="fill" d={band} />
          <path d={band} fill={`url(#${id}-${tone})`} />
        </>
      )}
      {names.map((line) => (
        <text key={`${line.y}`} class="name" x={line.x} y={line.y}>
          {line.text}
        </text>
      ))}
      {notes.map((line) => (
        <text key={`${line.y}`} class="detail" x={line.x} y={line.y}>
          {line.text}
        </text>
      ))}
    </g>
  );
}

function Link({ placed, all, isLit }: { placed: PlacedLink; all: readonly PlacedLink[]; isLit: boolean }) {
  const { link } = placed;
  const { line, heads } = linkShape(placed);
  const { lines, isOver } = linkText(placed, all);
  return (
    <g class={classOf("link", `tone-${toneOf(link)}`, link.dashed === true && "optional", isLit && "lit")}>
      <path class="line" d={line} />
      {/* A second stroke parts what heat and memory run along. */}
      <path class="core-line" d={line} />
      {heads.map((head) => (
        <path key={head} class="head" d={head} />
      ))}
      {lines.map(({ x, y, text }) => (
        <text key={`${y}`} class={isOver ? "detail over" : "detail"} x={x} y={y}>
          {text}
        </text>
      ))}
    </g>
  );
}

/** Patterns that tell tones apart without colour. */
const kBands: Record<NamedTone, string> = {
  compute: "",
  memory: "M0 4 H8",
  data: "M0 8 L8 0",
  control: "M3 4 H5",
  power: "M0 0 L8 8",
  heat: "M0 0 L8 8 M0 8 L8 0",
};

function Bands({ id }: { id: string }) {
  return (
    <defs>
      {kTones.map((tone) => (
        <pattern key={tone} id={`${id}-${tone}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <path class="mark-line" d={kBands[tone]} />
        </pattern>
      ))}
    </defs>
  );
}

/** Which tone is which: the edge of boxes and the kind of line. The words say it too. */
export function ToneLegend({ drawing, id }: { drawing: BlocksDrawing; id: string }) {
  const tones = tonesShown(drawing);
  if (tones.length === 0) return null;
  const hasBox = (tone: NamedTone) => drawing.boxes.some((box) => box.tone === tone);
  const hasLink = (tone: NamedTone) => drawing.links?.some((link) => link.tone === tone) === true;
  return (
    <ul class="row legend drawing-legend" aria-hidden="true">
      {tones.map((tone) => (
        <li key={tone} class={`tone-${tone}`}>
          {hasBox(tone) ? (
            <svg class="swatch" width="10" height="14" aria-hidden="true">
              <rect class="fill" width="10" height="14" />
              <rect width="10" height="14" fill={`url(#${id}-${tone})`} />
            </svg>
          ) : null}{" "}
          {hasLink(tone) ? (
            <svg class="swatch" width="30" height="14" aria-hidden="true">
              <path class="line" d="M0 7 H30" />
              <path class="core-line" d="M0 7 H30" />
            </svg>
          ) : null}{" "}
          {toneName(drawing, tone, drawingTexts.phrases)}
        </li>
      ))}
    </ul>
  );
}
