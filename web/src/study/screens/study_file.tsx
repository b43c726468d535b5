/** What a screen shows of a file below `study/`: its loading, its failure, and its content, in the language of the page. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { language } from "../../language.ts";
import { messages } from "../../messages.ts";
import { Failed } from "../../views/lazy.tsx";
import { studyFile } from "../pack.ts";

interface StudyFileProps<Content> {
  file: string;
  /** Where it is more than the file itself. */
  read?: () => Promise<Content>;
  children: (content: Content) => ComponentChildren;
}

/** Key it by its file: another file begins anew. */
export function StudyFile<Content>({ file, read, children }: StudyFileProps<Content>) {
  const [content, setContent] = useState<Content>();
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    (read?.() ?? studyFile<Content>(file)).then(setContent, () => setFailed(true));
  };
  useEffect(load, [file, language.value]);
  if (failed) return <Failed again={load} />;
  if (content === undefined) return <p class="note opening">{messages.loadingScreen}</p>;
  return <>{children(content)}</>;
}
