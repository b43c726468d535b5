/** A drawing of the core as text: what a page must know of it to show it as an image. */
export interface CoreImage {
  svg: string;
  title: string;
  description: string;
  /** In pixels, so that its smallest letters can be read. */
  width: number;
  height: number;
}

/** The smallest letters of a page. */
const kSmallest = 12;

const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Undefined where the text is no drawing. */
export function coreImage(svg: string): CoreImage | undefined {
  const [, width, height] = /<svg\b[^>]*\bwidth="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const first = (tag: string) => unescaped(new RegExp(`<${tag}\\b[^>]*>([^<]*)</${tag}>`).exec(svg)?.[1] ?? "");
  const sizes = [...svg.matchAll(/\bfont-size="([\d.]+)"/g)].map(([, size]) => Number(size));
  const scale = Math.max(1, kSmallest / Math.min(...sizes, kSmallest));
  return {
    svg,
    title: first("title"),
    description: first("desc"),
    width: Math.ceil(Number(width) * scale),
    height: Math.ceil(Number(height) * scale),
  };
}
