/** Countries and regions of clouds by their names. The build asks the engine's command line and writes them beside the page. */
import type { Named } from "../contract.ts";
import { fill } from "../messages.ts";
import { translated } from "../translation.ts";
import { knownPlaces } from "../views/place_names.ts";
import { formTexts } from "./form_texts.ts";

let asked: Promise<readonly Named[]> | undefined;

/** The places that a request may name, read once; a failed reading may be tried again. */
export function loadPlaces(): Promise<readonly Named[]> {
  asked ??= fetch(new URL(`screens/${__SCREENS_DIGEST__}/regions.json`, document.baseURI)).then((reply) => {
    if (!reply.ok) throw new Error(`screens/regions.json: ${reply.status}`);
    return reply.json() as Promise<Named[]>;
  });
  asked.then(
    (places) => {
      knownPlaces.value = places;
    },
    () => {
      asked = undefined;
    },
  );
  return asked;
}

/** `Germany`; a region of a cloud with its own word, as several may lie in one town. */
export function placeName({ id, name }: Named): string {
  const region = id.split(":")[1];
  return region === undefined ? translated(name) : fill(formTexts.cloudRegion, { place: translated(name), region });
}

/** The place that a typed name means: a whole name in either language, or a code. */
export function placeOf(places: readonly Named[], typed: string): Named | undefined {
  const text = typed.trim().toLowerCase();
  const names = (place: Named) => [placeName(place), place.name, place.id];
  return places.find((place) => names(place).some((name) => name.toLowerCase() === text));
}

/** The one country whose name begins so; undefined where several do, or none. */
export function countryBeginning(places: readonly Named[], typed: string): Named | undefined {
  const text = typed.trim().toLowerCase();
  const found = places.filter(({ id, name }) => /^[A-Z]{3}$/.test(id) && name.toLowerCase().startsWith(text));
  return text !== "" && found.length === 1 ? found[0] : undefined;
}
