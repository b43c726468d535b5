/** Lights of verdicts: each has a shape, so that colour is never alone. */

export type Light = "bad" | "watch" | "open" | "good";

const kShapes: Record<Light, string> = {
  good: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z",
  watch: "M8 2 15 14H1Z",
  bad: "M5 1h6l4 4v6l-4 4H5l-4-4V5Z",
  open: "M3 7h10v2H3Z",
};

export function LightShape({ light }: { light: Light }) {
  return (
    <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path d={kShapes[light]} />
    </svg>
  );
}
