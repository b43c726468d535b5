/** Commands about machines that are kept in this browser: show one, or put its rates into the plan. */

import { fill } from "../messages.ts";
import { askEngine, knownPage } from "../pages.ts";
import { readReply } from "../replies.ts";
import { addressOf } from "../route.ts";
import { editPage } from "../screens/page_of_screen.ts";
import type { Command } from "../tools/commands.ts";
import { withCalibration } from "./calibrated_requests.ts";
import { kHostWithinMs, readFiles } from "./host_state.ts";
import { fileText, type KeptHost } from "./hosts_store.ts";
import { hostTexts } from "./texts.ts";

/** Shows a kept host on its screen, where everything about it is read anew. */
function openKept({ name, profile }: KeptHost): void {
  location.hash = addressOf("host");
  void readFiles([{ name: `${name}.json`, text: fileText(profile) }]);
}

/** Puts the machine's rates into the plan. Where they cannot be had, the host's screen says why. */
export async function useKeptInPlan(host: KeptHost): Promise<void> {
  const plan = knownPage("plan");
  const reply = readReply(await askEngine({ kind: "calibrate", profile: host.profile }, kHostWithinMs));
  const calibration = reply.kind === "answer" ? (reply.answer as { calibration?: object }).calibration : undefined;
  if (plan === undefined || calibration === undefined) return openKept(host);
  await editPage(plan, withCalibration(plan.state.request.peek(), calibration as Record<string, never>));
  location.hash = addressOf("plan");
}

export function hostCommands(hosts: readonly KeptHost[]): Command[] {
  const group = hostTexts.commandGroup;
  return hosts.flatMap((host) => [
    {
      id: `host open ${host.name}`,
      group,
      title: fill(hostTexts.commandOpen, { name: host.name }),
      run: () => openKept(host),
    },
    {
      id: `host use ${host.name}`,
      group,
      title: fill(hostTexts.commandUse, { name: host.name }),
      run: () => void useKeptInPlan(host).catch(() => openKept(host)),
    },
  ]);
}
