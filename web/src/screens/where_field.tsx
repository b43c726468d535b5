/** Where it runs: a country by its name, and whether data must stay there. */
import { useEffect, useState } from "preact/hooks";
import type { Named } from "../contract.ts";
import { textAt } from "../json.ts";
import { usePage } from "../page.ts";
import { FaultsAt, useFault } from "../views/field.tsx";
import { formTexts } from "./form_texts.ts";
import { countryBeginning, loadPlaces, placeName, placeOf } from "./places.ts";

const kRegion = "/economics/region";
const kSovereignty = "/constraints/sovereignty";

export function WhereField() {
  const { state, controller } = usePage();
  const [places, setPlaces] = useState<readonly Named[]>([]);
  useEffect(() => {
    void loadPlaces().then(setPlaces, () => undefined);
  }, []);
  const [draft, setDraft] = useState<{ text: string; code: string | undefined }>();
  const [isLeft, setLeft] = useState(false);
  // The list is long, and read by few.
  const [isListed, setListed] = useState(false);
  const code = textAt(state.request.value, kRegion);
  const place = places.find(({ id }) => id === code);
  const shown = place === undefined ? (code ?? "") : placeName(place);
  // What was typed stands as long as the request has what it means.
  const typed = draft !== undefined && draft.code === code ? draft.text : undefined;
  const isUnknown = typed !== undefined && typed.trim() !== "" && placeOf(places, typed) === undefined;
  const take = (text: string) => {
    setLeft(false);
    const found = placeOf(places, text);
    const next = text.trim() === "" ? undefined : (found?.id ?? code);
    setDraft({ text, code: next });
    if (next !== code) controller.edit(kRegion, next);
  };
  const isWrong = useFault(kRegion) || (isUnknown && isLeft);
  return (
    <div class="stacked">
      <div class="field wide">
        <label for="country">{formTexts.country}</label>
        <input
          id="country"
          type="text"
          list="places"
          autocomplete="off"
          spellcheck={false}
          value={typed ?? shown}
          aria-invalid={isWrong}
          aria-describedby="country-help country-fault"
          onFocus={({ currentTarget }) => {
            setListed(true);
            currentTarget.select();
          }}
          onInput={({ currentTarget }) => take(currentTarget.value)}
          onBlur={() => {
            const meant = isUnknown ? countryBeginning(places, typed) : undefined;
            if (meant !== undefined) take(placeName(meant));
            if (isUnknown && meant === undefined) setLeft(true);
            else setDraft(undefined);
          }}
        />
        <datalist id="places">
          {isListed ? places.map((item) => <option key={item.id} value={placeName(item)} />) : null}
        </datalist>
        <span id="country-help" class={isUnknown && isLeft ? "fault" : "in-words"}>
          {isUnknown ? (isLeft ? formTexts.noCountry : formTexts.countryHelp) : ""}
        </span>
        <FaultsAt id="country-fault" pointer={kRegion} />
      </div>
      <DataStays />
    </div>
  );
}

const kNotes: Record<string, string> = {
  none: "dataAnywhere",
  "on-premises": "dataOnPremises",
  "air-gapped": "dataAirGapped",
};

function DataStays() {
  const { state, controller } = usePage();
  const given = textAt(state.request.value, kSovereignty) ?? "none";
  const notes: Record<string, unknown> = formTexts;
  const note = notes[kNotes[given] ?? ""];
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={given !== "none"}
          aria-describedby="data-fault"
          onChange={({ currentTarget }) =>
            controller.edit(kSovereignty, currentTarget.checked ? "in-country" : undefined)
          }
        />
        <span>{formTexts.dataStay}</span>
      </label>
      {typeof note === "string" ? <p class="note">{note}</p> : null}
      <FaultsAt id="data-fault" pointer={kSovereignty} />
    </div>
  );
}
