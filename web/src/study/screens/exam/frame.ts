/** Where the parts of a drawing stand, in units of its view box. */
export interface DrawingFrame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const frameOf = (width: number, height: number): DrawingFrame => ({
  width,
  height,
  left: 56,
  right: width - 32,
  top: 28,
  bottom: height - 40,
});

/** Text near the right edge stands on the left of its mark. */
export const anchorAt = ({ left, right }: DrawingFrame, at: number) =>
  at > left + (right - left) * 0.7 ? { dx: -8, anchor: "end" as const } : { dx: 8, anchor: "start" as const };
