/** Where a question comes from: links where the sources are known. Their titles are loaded with the first solution that is shown. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { usePage } from "../../../page.ts";
import { askEngine } from "../../../pages.ts";
import { readSources } from "../../../replies.ts";
import { SourceList } from "../../../views/sources.tsx";
import { type SourceEntry, studyFile } from "../../pack.ts";

const isId = (part: string) => /^[a-z0-9]+(-[a-z0-9]+)+$/.test(part);

type Sources = Record<string, SourceEntry>;

/** Of the written questions. */
const ofQuestions = signal<Sources | undefined>(undefined);

function loadSources(): void {
  studyFile<Sources>("sources.json").then(
    (loaded) => {
      ofQuestions.value = loaded;
    },
    // Without their titles sources are named by their ids.
    () => undefined,
  );
}

interface QuestionSourcesProps {
  text: string;
  /** Where the page has its own. */
  sources?: Sources;
}

/** Sources of the catalog are asked for once, when one is named that is none of the study tool's. */
export function QuestionSources({ text, sources = ofQuestions.value }: QuestionSourcesProps) {
  const { state } = usePage();
  const parts = [...new Set(text.split("; "))];
  const isThere = sources !== undefined;
  const asks =
    isThere && state.sources.value.size === 0 && parts.some((part) => isId(part) && sources[part] === undefined);
  useEffect(() => {
    if (!isThere) loadSources();
  }, [isThere]);
  useEffect(() => {
    if (!asks) return;
    void askEngine({ kind: "catalog", list: "sources" }).then(
      (reply) => {
        state.sources.value = readSources(reply);
      },
      // Without their titles sources are named by their ids.
      () => undefined,
    );
  }, [asks, state]);
  return <SourceList sources={parts} also={sources ?? {}} />;
}
