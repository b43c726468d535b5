/** The formula sheet: formulas by objective, each with an example that the engine works, and the calculators of the lessons. */

import { useState } from "preact/hooks";
import { fill } from "../../messages.ts";
import { FilterField } from "../../screens/filter_field.tsx";
import { OnPhoneFolded } from "../../screens/phone_fold.tsx";
import { type FormulaGroup, type FormulaSheet, foundGroups, kSearch } from "../formula_sheet.ts";
import { useAddressQuery } from "./address_query.ts";
import type { StudyScreenProps } from "./addresses.ts";
import { Calculator } from "./calculator.tsx";
import { FormulaLine } from "./formula_line.tsx";
import { formulaTexts } from "./formula_texts.ts";
import { StudyCard } from "./opening.tsx";
import { StudyFile } from "./study_file.tsx";
import { studyTexts } from "./texts.ts";
import "./formulas.css";

export function Formulas(_: StudyScreenProps) {
  return (
    <StudyCard kind="card formulas" title={studyTexts.screens.formulas}>
      <StudyFile<FormulaSheet> file="formulas.json">{(sheet) => <Sheet sheet={sheet} />}</StudyFile>
    </StudyCard>
  );
}

const countOf = (groups: readonly FormulaGroup[]) => groups.flatMap(({ formulas }) => formulas).length;

function Sheet({ sheet: { groups } }: { sheet: FormulaSheet }) {
  const [{ text }, change] = useAddressQuery(kSearch);
  const found = foundGroups(groups, text);
  const count = countOf(groups);
  const [isPrinted, setPrinted] = useState(false);
  // What is folded would not be on the paper.
  const printAll = () => {
    setPrinted(true);
    requestAnimationFrame(() => print());
  };
  return (
    <>
      <p class="note sheet-note">{fill(formulaTexts.note, { count })}</p>
      <search class="row table-tools">
        <FilterField
          label={formulaTexts.search}
          example={formulaTexts.searchExample}
          text={text}
          take={(text) => change({ text })}
        />
        <span class="note" role="status">
          {found.length === 0 ? formulaTexts.nothing : fill(formulaTexts.found, { found: countOf(found), count })}
        </span>
        <button type="button" class="small" onClick={printAll}>
          {formulaTexts.print}
        </button>
      </search>
      <div class="formula-groups">
        {found.map((group) => (
          <Group key={group.objective} group={group} open={isPrinted || text.trim() !== ""} />
        ))}
      </div>
    </>
  );
}

interface GroupProps {
  group: FormulaGroup;
  /** On a phone too. */
  open: boolean;
}

function Group({ group: { objective, name, formulas, calculators }, open }: GroupProps) {
  const heading = `formulas-${objective}`;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} lang="en">
        {objective} {name}
      </h2>
      <OnPhoneFolded summary={fill(formulaTexts.inGroup, { count: formulas.length })} open={open}>
        <ul class="formula-list" lang="en">
          {formulas.map((formula) => (
            <FormulaLine key={`${formula.template}/${formula.step}`} formula={formula} />
          ))}
        </ul>
        {calculators.length === 0 ? null : <Live calculators={calculators} />}
      </OnPhoneFolded>
    </section>
  );
}

/** Their first answers are asked for when the fold is opened. */
function Live({ calculators }: Pick<FormulaGroup, "calculators">) {
  const [opened, setOpened] = useState(false);
  const { length: count } = calculators;
  const word = count === 1 ? formulaTexts.calculator : formulaTexts.calculators;
  return (
    <details class="formula-live" onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{fill(formulaTexts.live, { count, word })}</summary>
      {opened ? calculators.map((one) => <Calculator key={one.title} {...one} />) : null}
    </details>
  );
}
