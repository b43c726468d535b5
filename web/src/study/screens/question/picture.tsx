/** The drawing above a question; its file, and the code that draws it, come when the first such question is shown. */
import { useEffect } from "preact/hooks";
import { messages } from "../../../messages.ts";
import { Failed, lazy } from "../../../views/lazy.tsx";
import type { Drawing } from "../../drawing.ts";
import { StudyFile } from "../study_file.tsx";

const view = lazy(async () => (await import("../drawing.tsx")).DrawingView);

interface PictureProps {
  id: string;
  /** The box that is asked for, until the answer is shown. */
  hidden: string | undefined;
}

export function Picture({ id, hidden }: PictureProps) {
  useEffect(() => view.load(), []);
  if (view.failed.value) return <Failed again={view.load} />;
  const DrawingView = view.view.value;
  if (DrawingView === undefined) return <p class="note">{messages.loadingScreen}</p>;
  return (
    <StudyFile<Drawing> file={`drawings/${id}.json`}>
      {(drawing) => <DrawingView drawing={drawing} hidden={hidden} />}
    </StudyFile>
  );
}
