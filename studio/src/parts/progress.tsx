import { work } from "../state/session.js";
import { bytes, count, whole } from "./numbers.js";

/** How far the work has come, as a bar and in words; nothing is claimed that is not known. */
export function ProgressLine() {
  const { progress, stopping } = work.value ?? {};
  const share = shareDone(progress);
  const words = stopping ? "Stopping" : saidOf(progress);
  return (
    <>
      <div
        class={share === undefined ? "bar unknown" : "bar"}
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === undefined ? undefined : Math.round(100 * share)}
      >
        <span style={share === undefined ? undefined : { width: `${100 * share}%` }} />
      </div>
      <p class="number soft">{words}&nbsp;</p>
    </>
  );
}

type Told = NonNullable<typeof work.value>["progress"];

function shareDone(progress: Told): number | undefined {
  if (progress?.bytes?.total) return Math.min(1, progress.bytes.done / progress.bytes.total);
  if (progress && progress.total > 0) return Math.min(1, progress.done / progress.total);
  return undefined;
}

function saidOf(progress: Told): string {
  if (!progress) return "";
  const { bytes: read, done, total, stage } = progress;
  const parts: string[] = [];
  if (read) parts.push(read.total ? `${bytes(read.done)} of ${bytes(read.total)}` : bytes(read.done));
  if (stage === "read" && done > 0)
    parts.push(total > 0 ? `${whole(done)} of ${count(total, "row")}` : count(done, "row"));
  if (stage === "search" && total > 0)
    parts.push(`${whole(done)} of ${count(total, "iteration")} of all chains`);
  return parts.join(", ");
}
