/** The page starts scripts of its own origin only: every address of one passes this named policy. */

/** A string, or the object that stands for one where the browser has trusted types. */
type ScriptAddress = string;
interface ScriptPolicy {
  createScriptURL(address: string): ScriptAddress;
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

function sameOrigin(address: string): string {
  const url = new URL(address, import.meta.url);
  if (url.origin !== location.origin) throw new TypeError("a worker of another origin");
  return url.href;
}

const policy: ScriptPolicy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("podwright", {
  createScriptURL: sameOrigin,
}) ?? { createScriptURL: sameOrigin };

/** An address of this origin, in the form in which the page's policy lets scripts be started. */
export function scriptAddress(address: string): ScriptAddress {
  return policy.createScriptURL(address);
}
