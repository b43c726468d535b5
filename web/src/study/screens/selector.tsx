/** The selector: questions of the decision guides, answered by the planner. Answers stand in the address. */
import { useEffect, useState } from "preact/hooks";
import type { Named } from "../../contract.ts";
import { numberText } from "../../format.ts";
import { usePage } from "../../page.ts";
import { catalogRows } from "../../screens/catalog_lists.ts";
import {
  askedQuestions,
  kFirstOf,
  kSelectorFields,
  planRequest,
  type SelectorField,
  type SelectorQuestion,
} from "../selector.ts";
import { useAddressQuery } from "./address_query.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { StudyCard } from "./opening.tsx";
import { SelectorGuides } from "./selector_guides.tsx";
import { SelectorPlan } from "./selector_plan.tsx";
import { selectorTexts } from "./selector_texts.ts";
import { studyTexts } from "./texts.ts";
import "./selector.css";

export function Selector(_: StudyScreenProps) {
  const [answers, change] = useAddressQuery(kSelectorFields);
  const asked = askedQuestions(answers);
  return (
    <StudyCard kind="card selector" title={studyTexts.screens.selector}>
      <p class="note">{selectorTexts.note}</p>
      <form class="selector-questions" onSubmit={(event) => event.preventDefault()}>
        {asked.map(({ question, answer }) => (
          <Asked
            key={question.id}
            question={question}
            answer={answer}
            take={(value) => change({ [question.id]: value })}
          />
        ))}
      </form>
      <SelectorPlan request={planRequest(answers)} />
      <SelectorGuides questions={asked.map(({ question }) => question)} />
    </StudyCard>
  );
}

interface AskedProps {
  question: SelectorQuestion;
  answer: string;
  take: (value: string) => void;
}

function Asked({ question, answer, take }: AskedProps) {
  const { id, isNumber = false, values, lesson } = question;
  const title = selectorTexts.questions[id];
  const lessonLink = (
    <a class="note" href={studyAddress("lessons", lesson)} aria-label={`${selectorTexts.lesson}: ${title}`}>
      {selectorTexts.lesson}
    </a>
  );
  if (isNumber || values.length === 0) {
    return (
      <div class="selector-question">
        <label class="selector-title" for={`selector-${id}`}>
          {title}
        </label>
        <Menu id={id} values={values} answer={answer} take={take} />
        {lessonLink}
      </div>
    );
  }
  return (
    <fieldset class="selector-question">
      <legend class="selector-title">{title}</legend>
      {values.map((value) => (
        <label key={value} class="selector-choice">
          <input type="radio" name={id} checked={value === answer} onChange={() => take(value)} /> {nameOf(id, value)}
        </label>
      ))}
      {lessonLink}
    </fieldset>
  );
}

function nameOf(id: SelectorField, value: string): string {
  const names: Record<string, Record<string, string>> = selectorTexts.choices;
  return names[id]?.[value] ?? (value === "any" ? selectorTexts.any : value);
}

interface MenuProps {
  id: SelectorField;
  values: readonly string[];
  answer: string;
  take: (value: string) => void;
}

function Menu({ id, values, answer, take }: MenuProps) {
  const items = useCatalog(id);
  return (
    <select id={`selector-${id}`} value={answer} onChange={({ currentTarget }) => take(currentTarget.value)}>
      {values.map((value) => (
        <option key={value} value={value}>
          {value === "any" ? selectorTexts.any : numberText(Number(value))}
        </option>
      ))}
      {items.map(({ id: value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Models stand in the page; regions are asked for. Until they are there, the first choice stands alone. */
function useCatalog(id: SelectorField): readonly Named[] {
  const { models } = usePage().state.initial;
  const [regions, setRegions] = useState<readonly Named[]>([]);
  useEffect(() => {
    if (id !== "region") return;
    const taken = (rows: Awaited<ReturnType<typeof catalogRows>>) =>
      setRegions(rows.map((row) => ({ id: String(row.id), name: String(row.name ?? row.id) })));
    catalogRows("regions").then(taken, () => undefined);
  }, [id]);
  if (id === "model") return models;
  if (id !== "region") return [];
  const first = kFirstOf.region ?? "";
  return regions.length > 0 ? regions : [{ id: first, name: first }];
}
