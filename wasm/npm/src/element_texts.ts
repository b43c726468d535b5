/** The words of the element in both languages: those of the site. */
import { openPlan } from "../../../web/src/data/host_texts.json";
import {
  budget,
  comma,
  costOfRun,
  engineFailed,
  headlines,
  interval,
  kept,
  noPlanHeadline,
  statistics,
  target,
} from "../../../web/src/data/messages.json";
import { askingHeadline, faultHeadline } from "../../../web/src/data/texts.json";

type Text = Record<"en" | "zh", string>;

export const texts = {
  headlines: headlines as Record<string, Text>,
  statistics: statistics as Record<string, Text>,
  interval,
  target,
  budget,
  kept,
  comma,
  costOfRun,
  none: noPlanHeadline,
  working: askingHeadline,
  fault: faultHeadline,
  failed: engineFailed,
  open: openPlan,
};
