/** The glossary: terms by the alphabet, with the lesson that teaches each. */

import { useState } from "preact/hooks";
import table from "../../data/glossary_texts.json";
import { followLanguage } from "../../language.ts";
import { fill } from "../../messages.ts";
import { FilterField } from "../../screens/filter_field.tsx";
import { kPhone, useIsNarrow } from "../../screens/narrow.ts";
import { foundTerms, type GlossaryPack, type GlossaryTerm, letterOfTerm } from "../glossary.ts";
import { useAddressQuery } from "./address_query.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { loadGlossary } from "./in_language.ts";
import { StudyCard } from "./opening.tsx";
import { StudyFile } from "./study_file.tsx";
import { StudySources } from "./study_sources.tsx";
import { studyTexts } from "./texts.ts";
import "./glossary.css";

const glossaryTexts = followLanguage("glossary_texts", table);

const kSearch = ["text"] as const;

export function Glossary(_: StudyScreenProps) {
  return (
    <StudyCard kind="card glossary" title={studyTexts.screens.glossary}>
      <StudyFile<GlossaryPack> file="glossary.json" read={loadGlossary}>
        {(pack) => <Terms pack={pack} />}
      </StudyFile>
    </StudyCard>
  );
}

function Terms({ pack }: { pack: GlossaryPack }) {
  const [{ text }, change] = useAddressQuery(kSearch);
  const { terms } = pack;
  const found = foundTerms(terms, text);
  const isWhole = text.trim() === "";
  const letters = isWhole ? [...new Set(found.map(letterOfTerm))] : [];
  // A phone shows one letter at a time.
  const isPhone = useIsNarrow(kPhone);
  const [chosen, setChosen] = useState<string>();
  const now = isPhone ? (letters.find((letter) => letter === chosen) ?? letters[0]) : undefined;
  return (
    <>
      <search class="row table-tools">
        <FilterField
          label={glossaryTexts.search}
          example={glossaryTexts.searchExample}
          text={text}
          take={(text) => change({ text })}
        />
        <span class="note" role="status">
          {found.length === 0
            ? glossaryTexts.nothing
            : fill(glossaryTexts.found, { found: found.length, count: terms.length })}
        </span>
      </search>
      {isWhole ? (
        <>
          <Letters letters={letters} now={now} choose={setChosen} />
          {letters
            .filter((letter) => now === undefined || letter === now)
            .map((letter) => (
              <section key={letter} aria-labelledby={`letter-${letter}`}>
                <h2 id={`letter-${letter}`} tabIndex={-1}>
                  {letter}
                </h2>
                <TermList terms={found.filter((term) => letterOfTerm(term) === letter)} pack={pack} change={change} />
              </section>
            ))}
        </>
      ) : (
        <TermList terms={found} pack={pack} change={change} />
      )}
    </>
  );
}

interface LettersProps {
  letters: readonly string[];
  /** The only one on show. */
  now: string | undefined;
  choose: (letter: string) => void;
}

/** The address holds the screen, so that these move the page themselves. */
function Letters({ letters, now, choose }: LettersProps) {
  const go = (letter: string) => {
    choose(letter);
    const heading = document.getElementById(`letter-${letter}`);
    heading?.scrollIntoView();
    heading?.focus();
  };
  return (
    <nav class="row glossary-letters" aria-label={glossaryTexts.letters}>
      {letters.map((letter) => (
        <button
          key={letter}
          type="button"
          class="small"
          aria-pressed={now === undefined ? undefined : letter === now}
          onClick={() => go(letter)}
        >
          {letter}
        </button>
      ))}
    </nav>
  );
}

interface TermListProps {
  terms: readonly GlossaryTerm[];
  pack: GlossaryPack;
  change: (fields: { text: string }) => void;
}

function TermList({ terms, pack, change }: TermListProps) {
  return (
    <dl class="terms" lang="en">
      {terms.map((term) => (
        <div key={term.term}>
          <dt>
            {term.term}
            {term.expands === undefined ? null : <span class="note"> {term.expands}</span>}
          </dt>
          <dd>
            <p>{term.meaning}</p>
            <Around term={term} pack={pack} change={change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Other terms, the lesson, the sources. */
function Around({
  term: { term, see = [], lesson, sources },
  pack,
  change,
}: Omit<TermListProps, "terms"> & { term: GlossaryTerm }) {
  const own = sources.flatMap((id) => {
    const source = pack.sources[id];
    return source === undefined ? [] : [[id, source] as const];
  });
  return (
    <>
      <p class="row note term-links">
        {lesson === undefined ? null : (
          <span>
            {glossaryTexts.lesson} <a href={studyAddress("lessons", lesson)}>{pack.lessons[lesson] ?? lesson}</a>
          </span>
        )}
        {see.length === 0 ? null : (
          <span>
            {glossaryTexts.see}{" "}
            {see.map((other, i) => (
              <>
                {i === 0 ? "" : ", "}
                <a
                  key={other}
                  href={`${studyAddress("glossary")}?text=${encodeURIComponent(other)}`}
                  onClick={() => change({ text: other })}
                >
                  {other}
                </a>
              </>
            ))}
          </span>
        )}
      </p>
      {own.length === 0 ? null : (
        <details>
          <summary class="note">{fill(glossaryTexts.sources, { term })}</summary>
          <StudySources sources={Object.fromEntries(own)} />
        </details>
      )}
    </>
  );
}
