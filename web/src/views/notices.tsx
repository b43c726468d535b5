/** Messages about the page itself: an unreadable link, a stopped engine. */
import { messages } from "../messages.ts";
import { usePage } from "../page.ts";

export function Notices() {
  const { state, controller } = usePage();
  const failed = state.engine.value === "failed";
  return (
    <div class="notices" role="status">
      {state.notice.value === undefined ? null : (
        <p class="notice">
          {state.notice.value}{" "}
          <button
            type="button"
            onClick={() => {
              state.notice.value = undefined;
            }}
          >
            {messages.dismiss}
          </button>
        </p>
      )}
      {failed ? (
        <p class="notice">
          {messages.engineFailed}{" "}
          <button type="button" onClick={() => controller.restartEngine()}>
            {messages.engineRestart}
          </button>
        </p>
      ) : null}
    </div>
  );
}
