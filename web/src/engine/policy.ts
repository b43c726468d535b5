/** The page starts scripts of its own origin only: every address of one passes the policy that the page's first lines have made. */
import { preloaded } from "../preloaded.ts";

/** An address of this origin, in the form in which the page's policy lets scripts be started. */
export function scriptAddress(address: string): string {
  const whole = new URL(address, import.meta.url).href;
  return preloaded.policy?.createScriptURL(whole) ?? whole;
}
