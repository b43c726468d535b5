/** Sources as the engine names them: addresses, ids of the catalog's sources (perhaps with a place in it after `#`), or words. */
import { Fragment } from "preact";
import type { Source } from "../contract.ts";
import { fill, humanize, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { texts } from "../screens/texts.ts";

type Named = Omit<Source, "id">;

interface SourceListProps {
  sources: readonly string[];
  /** Sources beside those of the catalog. */
  also?: Record<string, Named>;
}

export function SourceList({ sources, also = {} }: SourceListProps) {
  const { state } = usePage();
  const byId = (id: string) => also[id] ?? state.sources.value.get(id);
  const known = (part: string) => byId(part) ?? byId(part.split("#")[0] ?? part);
  return (
    <>
      {sources.map((part, i) => {
        const source = known(part);
        return (
          <Fragment key={part}>
            {i === 0 ? "" : "; "}
            {source === undefined ? (
              <Linked text={documentText(part)} url={addressOf(part)} />
            ) : (
              <KnownSource source={source} id={part} />
            )}
          </Fragment>
        );
      })}
    </>
  );
}

function addressOf(text: string): string | undefined {
  const [, paper] = /^arXiv (\d{4}\.\d{4,5})\b/.exec(text) ?? [];
  if (paper !== undefined) return `https://arxiv.org/abs/${paper}`;
  const [, object] = /^doi (10\.\S+)$/.exec(text) ?? [];
  return object === undefined ? text : `https://doi.org/${object}`;
}

function KnownSource({ source, id }: { source: Named; id: string }) {
  const about = [
    source.publisher,
    source.date,
    source.kind === undefined ? undefined : humanize(source.kind).toLowerCase(),
  ];
  return (
    <>
      <Linked text={source.title ?? id} url={source.url} />
      <span class="note"> {about.filter((item) => item !== undefined && item !== "").join(", ")}</span>
    </>
  );
}

function Linked({ text, url }: { text: string; url: string | undefined }) {
  if (url === undefined || !/^https?:\/\/\S+$/.test(url)) return <>{text}</>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** A page of the documents by its name: "decision, confidence" of `docs/method/decision.md#confidence`; else the text. */
export function documentText(text: string): string {
  return text.replace(/docs\/(?:\w+\/)*(\w+)\.md(?:#([\w-]+))?/, (_, page: string, part?: string) => {
    const names = [page, part].flatMap((name) => (name === undefined ? [] : [humanize(name).toLowerCase()]));
    return fill(texts.ofTheMethod, { page: names.join(messages.comma) });
  });
}
