/** Sources of study texts, as links out of the site. */
import type { SourceEntry } from "../pack.ts";

export function StudySources({ sources }: { sources: Record<string, SourceEntry> }) {
  return (
    <ul class="texts" lang="en">
      {Object.entries(sources).map(([id, { title, url }]) => (
        <li key={id}>
          {url === undefined ? (
            title
          ) : (
            <a href={url} target="_blank" rel="noreferrer">
              {title}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
