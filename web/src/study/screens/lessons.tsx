/** The lessons: the list of them, and the one that the address names. */
import { fill } from "../../messages.ts";
import type { LessonCard, LessonList } from "../lesson.ts";
import { type LessonGroup, lessonGroups, minutesLeft } from "../lesson_list.ts";
import { languageOf } from "../translations.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { loadLessons } from "./in_language.ts";
import { LessonPage } from "./lesson_page.tsx";
import { lessonTexts } from "./lesson_texts.ts";
import { StudyCard } from "./opening.tsx";
import { keepsMarks, readLessons } from "./read_marks.ts";
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
  return (
    <StudyCard kind="card lessons" title={studyTexts.screens.lessons}>
      <p class="note">{lessonTexts.listNote}</p>
      {keepsMarks.value ? null : <p class="notice">{lessonTexts.notKept}</p>}
      {lessonGroups(list, lessonTexts.whole).map((group) => (
        <Group key={group.id} group={group} />
      ))}
    </StudyCard>
  );
}

function Group({ group: { id, name, lessons } }: { group: LessonGroup }) {
  const read = readLessons.value;
  const heading = `lessons-${id === "" ? "whole" : id}`;
  return (
    <section aria-labelledby={heading}>
      <div class="row lesson-group-head">
        <h2 id={heading}>{name}</h2>
        <span class="note">
          {fill(lessonTexts.progress, {
            read: lessons.filter((one) => read.has(one.id)).length,
            count: lessons.length,
            minutes: minutesLeft(lessons, read),
          })}
        </span>
      </div>
      <ol class="lesson-list">
        {lessons.map((lesson) => (
          <Line key={lesson.id} lesson={lesson} isRead={read.has(lesson.id)} />
        ))}
      </ol>
    </section>
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
