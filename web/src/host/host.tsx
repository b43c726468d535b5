/** The host screen: files of a machine come in, are checked and compared with the data sheet, and go into plans. */
import { useEffect } from "preact/hooks";
import { messages } from "../messages.ts";
import type { Page } from "../page.ts";
import { route } from "../route.ts";
import { Frame } from "../views/frame.tsx";
import { CalibratePart } from "./calibrate_part.tsx";
import { CheckPart } from "./check_part.tsx";
import { given, imported, profileOf, readSample } from "./host_state.ts";
import { HostsPart } from "./hosts_part.tsx";
import { FilesRead, ImportPart } from "./import_part.tsx";
import { MachinePart } from "./machine_part.tsx";
import { ServingPart } from "./serving_part.tsx";
import { UsePart } from "./use_part.tsx";
import "../screens/screens.css";
import "./host.css";

/** `#/host/sample` opens with the sample. */
export function Host({ plan }: { plan: Page }) {
  const wantsSample = route.value.rest[0] === "sample";
  useEffect(() => {
    if (wantsSample && given.peek().length === 0) void readSample();
  }, [wantsSample]);
  return (
    <Frame single>
      <section class="card host" aria-labelledby="headline">
        <h1 id="headline" tabIndex={-1}>
          {messages.screens.host}
        </h1>
        <ImportPart />
      </section>
      <MachinePart />
      <FilesRead />
      <ServingPart plan={plan} />
      {profileOf(imported.value) === undefined ? null : (
        <>
          <CheckPart />
          <CalibratePart />
          <UsePart plan={plan} />
        </>
      )}
      <HostsPart />
    </Frame>
  );
}
