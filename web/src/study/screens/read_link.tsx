/** The way from a question to the section of the lesson that teaches it. */
import { fill } from "../../messages.ts";
import { cardOf, type Question } from "../question.ts";
import { type Place, placeOf } from "../taught.ts";
import { studyAddress } from "./addresses.ts";
import { lessonTexts } from "./lesson_texts.ts";
import { useTaught } from "./use_taught.ts";

export const placeAddress = ({ lesson, section }: Place) =>
  studyAddress("lessons", lesson, ...(section === undefined ? [] : [section]));

export const placeText = ({ title, sectionTitle }: Place) =>
  sectionTitle === undefined ? title : fill(lessonTexts.sectionOf, { lesson: title, section: sectionTitle });

interface ReadLinkProps {
  question: Question;
  /** After a wrong answer it is what to do next. */
  loud: boolean;
}

export function ReadLink({ question, loud }: ReadLinkProps) {
  const taught = useTaught();
  const place = taught && placeOf(taught, cardOf(question), question.objective);
  if (place === undefined) return null;
  return (
    <p class={loud ? "read-link loud" : "read-link"}>
      {loud ? null : <b>{lessonTexts.lesson}: </b>}
      <a href={placeAddress(place)}>
        {loud ? fill(lessonTexts.readIt, { place: placeText(place) }) : placeText(place)}
      </a>
    </p>
  );
}
