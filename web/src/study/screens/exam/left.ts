/** The time left in words, and what the clock announces. */
import { fill } from "../../../messages.ts";
import type { Announcement } from "../../exam_clock.ts";
import { examTexts } from "./texts.ts";

/** In minutes, and in seconds once less than a minute is left. */
export function leftText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 59.5) return fill(examTexts.secondsLeft, { count: Math.max(0, Math.ceil(seconds)) });
  return minutes === 1 ? examTexts.oneMinuteLeft : fill(examTexts.minutesLeft, { count: minutes });
}

/** As a clock shows it: "59:07". */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function announcementText({ kind, remainingSeconds }: Announcement, stands: boolean): string {
  const left = leftText(remainingSeconds);
  if (kind === "over") return examTexts.timeOver;
  if (kind === "half") return fill(examTexts.halfOver, { left });
  return stands ? fill(examTexts.clockStands, { left }) : left;
}

/** Whole minutes, up from a half. */
export const minutesOf = (seconds: number) => Math.round(seconds / 60);
