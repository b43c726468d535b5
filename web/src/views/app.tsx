/** The page: answer, inputs, choices, details. */
import { fill, messages } from "../messages.ts";
import { type Page, PageContext, usePage } from "../state.ts";
import { Answer } from "./answer.tsx";
import { Details } from "./details.tsx";
import { Explanation } from "./explanation.tsx";
import { Header } from "./header.tsx";
import { Inputs } from "./inputs.tsx";
import { Notices } from "./notices.tsx";
import { ParetoChart } from "./pareto.tsx";
import { Plans } from "./plans.tsx";
import { RentOrOwn } from "./rent_or_own.tsx";

export function App({ page }: { page: Page }) {
  return (
    <PageContext.Provider value={page}>
      <Header />
      <main>
        <Notices />
        <Answer />
        <div class="side">
          <Explanation />
          <Inputs />
        </div>
        <div class="rest">
          <Plans />
          <ParetoChart />
          <RentOrOwn />
          <Details />
        </div>
        <Announcer />
      </main>
      <Footer />
    </PageContext.Provider>
  );
}

function Announcer() {
  return (
    <p class="hidden" role="status">
      {usePage().state.announcement.value}
    </p>
  );
}

function Footer() {
  const { podwright_version: version, catalog_digest: digest } = usePage().state.answer.value;
  return (
    <footer>
      {version === undefined ? null : <span>{fill(messages.version, { version })}</span>}
      {digest === undefined ? null : (
        <span title={digest}>
          {fill(messages.catalogDigest, { digest: digest.replace(/^[a-z0-9]+:/, "").slice(0, 8) })}
        </span>
      )}
      <span>{messages.commandLine}</span>
    </footer>
  );
}
