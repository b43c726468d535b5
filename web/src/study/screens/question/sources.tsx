/** Where a question comes from: links where the sources are known. */
import { useEffect } from "preact/hooks";
import { usePage } from "../../../page.ts";
import { askEngine } from "../../../pages.ts";
import { readSources } from "../../../replies.ts";
import { SourceList } from "../../../views/sources.tsx";
import type { SourceEntry } from "../../pack.ts";

const isId = (part: string) => /^[a-z0-9]+(-[a-z0-9]+)+$/.test(part);

interface QuestionSourcesProps {
  text: string;
  sources: Record<string, SourceEntry>;
}

/** Sources of the catalog are asked for once, when one is named that the pack does not have. */
export function QuestionSources({ text, sources }: QuestionSourcesProps) {
  const { state } = usePage();
  const parts = [...new Set(text.split("; "))];
  const asks = state.sources.value.size === 0 && parts.some((part) => isId(part) && sources[part] === undefined);
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
  return <SourceList sources={parts} also={sources} />;
}
