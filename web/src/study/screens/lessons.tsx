/** The lessons: the list of them, and the one that the address names. */
import { fill } from "../../messages.ts";
import { examCode } from "../blueprint.ts";
import type { LessonCard, LessonList } from "../lesson.ts";
import { lessonsByExam, minutesLeft } from "../lesson_list.ts";
import { aboutExam } from "../pack.ts";
import { languageOf } from "../translations.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { loadLessons } from "./in_language.ts";
import { LessonPage } from "./lesson_page.tsx";
import { lessonTexts } from "./lesson_texts.ts";
import { StudyCard } from "./opening.tsx";
import { keepsMarks, readLessons } from "./read_marks.ts";
import { examNow, useStudy } from "./study_data.ts";
import { StudyFile } from "./study_file.tsx";
import { studyTexts } from "./texts.ts";
import "./lessons.css";

export function Lessons({ rest }: StudyScreenProps) {
  const [id, section] = rest;
  return (
    <StudyFile<LessonList> file="lessons.json" read={loadLessons}>
      {(list) =>
        id === undefined ? (
          <LessonsList list={list} />
        ) : (
          <LessonPage key={id} list={list} id={decodeURIComponent(id)} section={section} />
        )
      }
    </StudyFile>
  );
}

function LessonsList({ list }: { list: LessonList }) {
  // The exam that was chosen is known once the store is open.
  useStudy();
  const [own, ...others] = lessonsByExam(list, aboutExam(examNow()).id);
  return (
    <StudyCard kind="card lessons" title={studyTexts.screens.lessons}>
      <p class="note">{lessonTexts.listNote}</p>
      {keepsMarks.value ? null : <p class="notice">{lessonTexts.notKept}</p>}
      {own === undefined ? null : (
        <section aria-labelledby="lessons-own">
          <div class="row lesson-group-head">
            <h2 id="lessons-own">{fill(lessonTexts.ofExam, { exam: examCode(own.exam) })}</h2>
            <Progress lessons={own.lessons} />
          </div>
          <Lines lessons={own.lessons} />
        </section>
      )}
      {others.map(({ exam, lessons }) => (
        <details key={exam} class="sub-fold">
          <summary>{fill(lessonTexts.ofExam, { exam: examCode(exam) })}</summary>
          <p>
            <Progress lessons={lessons} />
          </p>
          <Lines lessons={lessons} />
        </details>
      ))}
    </StudyCard>
  );
}

function Progress({ lessons }: { lessons: readonly LessonCard[] }) {
  const read = readLessons.value;
  return (
    <span class="note">
      {fill(lessonTexts.progress, {
        read: lessons.filter((one) => read.has(one.id)).length,
        count: lessons.length,
        minutes: minutesLeft(lessons, read),
      })}
    </span>
  );
}

function Lines({ lessons }: { lessons: readonly LessonCard[] }) {
  return (
    <ol class="lesson-list">
      {lessons.map((lesson) => (
        <Line key={lesson.id} lesson={lesson} isRead={readLessons.value.has(lesson.id)} />
      ))}
    </ol>
  );
}

function Line({ lesson: { id, number, title, objectives, minutes }, isRead }: { lesson: LessonCard; isRead: boolean }) {
  return (
    <li>
      <span class="lesson-number" aria-hidden="true">
        {number}
      </span>
      <a href={studyAddress("lessons", id)} lang={languageOf(title)}>
        {title}
      </a>
      <span class="note">
        {objectives.join(", ")} · {fill(lessonTexts.minutes, { minutes })}
      </span>
      <span class="lesson-mark">{isRead ? `✓ ${lessonTexts.read}` : ""}</span>
    </li>
  );
}
