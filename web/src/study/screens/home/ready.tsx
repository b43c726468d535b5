/** Readiness: what would be remembered of each domain, by the weights of the exam. */
import { fill } from "../../../messages.ts";
import { NumbersTable } from "../../../screens/charts/chart_table.tsx";
import { Disclosure } from "../../../views/fold.tsx";
import { answeredCards, examKind } from "../../exam_kind.ts";
import {
  examLearner,
  kAim,
  type ReadyDomain,
  readyDomains,
  readyObjectives,
  readyTotal,
  rememberedOf,
} from "../../home_numbers.ts";
import { examAhead, type Learner } from "../../learner.ts";
import { studyAddress } from "../addresses.ts";
import { percentText } from "../session/confidence.tsx";
import type { StudyTools } from "../study_data.ts";
import { studyHomeTexts } from "./texts.ts";

interface ReadyProps {
  tools: StudyTools;
  learner: Learner;
  now: number;
}

export function Ready({ tools, learner: whole, now }: ReadyProps) {
  const learner = examLearner(whole, examKind(tools.pack));
  const { blueprint } = tools.pack;
  const { cards, needed, isTold } = rememberedOf(learner);
  const answered = answeredCards(tools.store.data());
  const examAt = examAhead(tools.store.data().settings, now);
  return (
    <section class="card study-part" aria-labelledby="ready-title">
      <h2 id="ready-title">{studyHomeTexts.readyTitle}</h2>
      <p class="note">
        {isTold
          ? fill(studyHomeTexts.readyNote, { aim: percentText(kAim) })
          : fill(studyHomeTexts.readySoon, { cards, needed })}
      </p>
      <ul class="stack ready-list">
        {readyDomains(learner, blueprint, answered, now, examAt).map((domain) => (
          <DomainRow key={domain.id} domain={domain} isTold={isTold} />
        ))}
        {isTold ? (
          <li class="ready-total">
            <p>
              <b>{studyHomeTexts.readyTotal}</b>{" "}
              {fill(studyHomeTexts.readyDomain, { share: percentText(readyTotal(learner, now)) })}
            </p>
            <Bar share={readyTotal(learner, now)} />
          </li>
        ) : null}
      </ul>
      <Disclosure summary={studyHomeTexts.objectivesTitle}>
        {() => (
          <NumbersTable
            columns={[studyHomeTexts.objective, studyHomeTexts.recall, studyHomeTexts.seenColumn]}
            rows={readyObjectives(learner, blueprint, answered, now).map(
              ({ id, text, now: share, seen, cards: all }) => ({
                key: id,
                cells: [
                  <a key="link" href={studyAddress("session", "objective", id)}>
                    {id} {text}
                  </a>,
                  isTold ? percentText(share) : "–",
                  `${seen} / ${all}`,
                ],
              }),
            )}
          />
        )}
      </Disclosure>
    </section>
  );
}

function DomainRow({ domain, isTold }: { domain: ReadyDomain; isTold: boolean }) {
  const { id, name, weight, now, onTheDay, seen, cards } = domain;
  const facts = [
    ...(isTold ? [fill(studyHomeTexts.readyDomain, { share: percentText(now) })] : []),
    ...(!isTold || onTheDay === undefined ? [] : [fill(studyHomeTexts.readyLater, { share: percentText(onTheDay) })]),
    fill(studyHomeTexts.seen, { seen, cards }),
    fill(studyHomeTexts.weight, { weight: percentText(weight) }),
  ];
  return (
    <li>
      <p>
        <b>{name}</b> {facts.join(" · ")}
      </p>
      <div class="ready-line">
        {isTold ? <Bar share={now} /> : null}
        <a href={studyAddress("session", "objective", id)} aria-label={fill(studyHomeTexts.practiseWhich, { name })}>
          {studyHomeTexts.practise}
        </a>
      </div>
    </li>
  );
}

/** The numbers stand beside it as text. */
function Bar({ share }: { share: number }) {
  return (
    <svg class="ready-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="6" />
      <rect class="fill" width={percentText(share).replace(" ", "")} height="6" />
      <line class="aim" x1={percentText(kAim).replace(" ", "")} x2={percentText(kAim).replace(" ", "")} y1="0" y2="6" />
    </svg>
  );
}
