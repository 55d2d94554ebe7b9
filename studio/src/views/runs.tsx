import { RunLines } from "../parts/run-lines.js";
import { forgetAll, runLines } from "../state/past-runs.js";

export function RunsView() {
  const lines = runLines.value;
  return (
    <div class="open">
      <h1>Past runs</h1>
      <p class="soft">
        Answers are kept in this browser, on this machine, without the data that they came from. The last
        fifty stay.
      </p>
      {lines.length === 0 ? (
        <p>There are none yet.</p>
      ) : (
        <>
          <RunLines lines={lines} />
          <button type="button" data-action="forget-all" onClick={() => void forgetAll()}>
            Delete all
          </button>
        </>
      )}
    </div>
  );
}
