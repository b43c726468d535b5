/** One lesson: what it is for, its text with live calculators, its sources, and the question at its end. */
import { useEffect, useState } from "preact/hooks";
import { fill } from "../../messages.ts";
import type { Lesson, LessonList } from "../lesson.ts";
import { neighbours } from "../lesson_list.ts";
import { sectionId } from "../taught.ts";
import { languageOf } from "../translations.ts";
import { studyAddress } from "./addresses.ts";
import { ClosingQuestion } from "./closing_question.tsx";
import { loadLesson } from "./in_language.ts";
import { LessonText } from "./lesson_text.tsx";
import { lessonTexts } from "./lesson_texts.ts";
import { keepsMarks, markRead, readLessons } from "./read_marks.ts";
import { StudyFile } from "./study_file.tsx";
import { StudySources } from "./study_sources.tsx";
import { TranslationNote } from "./translation_note.tsx";

interface LessonPageProps {
  list: LessonList;
  id: string;
  /** The section that the address leads to. */
  section?: string;
}

export function LessonPage({ list, id, section }: LessonPageProps) {
  const known = list.lessons.some((one) => one.id === id);
  return known ? (
    <StudyFile<Lesson> file={`lessons/${id}.json`} read={() => loadLesson(id)}>
      {(lesson) => <Page list={list} lesson={lesson} section={section} />}
    </StudyFile>
  ) : (
    <section class="card">
      <h1 id="headline" tabIndex={-1}>
        {fill(lessonTexts.unknown, { id })}
      </h1>
      <p>
        <a href={studyAddress("lessons")}>{lessonTexts.all}</a>
      </p>
    </section>
  );
}

/** Reading goes on at the section of the address. */
function useSection(section: string | undefined): void {
  useEffect(() => {
    const heading = section === undefined ? null : document.getElementById(sectionId(section));
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  }, [section]);
}

function Page({ list, lesson, section }: { list: LessonList; lesson: Lesson; section?: string }) {
  const { id, number, title, objectives, minutes, text, sources } = lesson;
  useSection(section);
  return (
    <article class="stack card lesson" aria-labelledby="headline">
      <header>
        <p class="note">
          {fill(lessonTexts.place, { number })} · {fill(lessonTexts.minutes, { minutes })}
        </p>
        <h1 id="headline" tabIndex={-1} lang={languageOf(title)}>
          {title}
        </h1>
        <TranslationNote text={title} />
        <Objectives ids={objectives} names={list.objectives} />
      </header>
      <div class="stack lesson-text" lang={languageOf(title)}>
        <LessonText text={text} />
      </div>
      <ClosingQuestion lesson={lesson} />
      <section aria-labelledby="lesson-sources">
        <h2 id="lesson-sources">{lessonTexts.sources}</h2>
        <StudySources sources={sources} />
      </section>
      <ReadMark id={id} />
      <Others list={list} id={id} />
    </article>
  );
}

function Objectives({ ids, names }: { ids: readonly string[]; names: Record<string, string> }) {
  return (
    <div class="row lesson-objectives">
      <span class="note">{lessonTexts.objectives}</span>
      <ul lang="en">
        {ids.map((one) => (
          <li key={one}>
            <strong>{one}</strong> {names[one]}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ReadMark({ id }: { id: string }) {
  const isRead = readLessons.value.has(id);
  const [said, setSaid] = useState("");
  const press = () => {
    markRead(id, !isRead);
    setSaid(isRead ? lessonTexts.unmarked : lessonTexts.marked);
  };
  return (
    <p class="lesson-read">
      <button type="button" onClick={press}>
        {isRead ? lessonTexts.markUnread : lessonTexts.markRead}
      </button>{" "}
      <span class="note" role="status">
        {said} {keepsMarks.value ? "" : lessonTexts.notKept}
      </span>
    </p>
  );
}

function Others({ list, id }: { list: LessonList; id: string }) {
  const { before, after } = neighbours(list, id);
  return (
    <nav class="row lesson-others" aria-label={lessonTexts.around}>
      {before === undefined ? null : (
        <a href={studyAddress("lessons", before.id)}>{fill(lessonTexts.before, { title: before.title })}</a>
      )}
      <a href={studyAddress("lessons")}>{lessonTexts.all}</a>
      {after === undefined ? null : (
        <a href={studyAddress("lessons", after.id)}>{fill(lessonTexts.after, { title: after.title })}</a>
      )}
    </nav>
  );
}
