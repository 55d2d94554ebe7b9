import { useReport } from "../read/report-sections.js";
import type { KeptRun } from "../state/past-runs.js";
import { route } from "../state/route.js";
import { answer } from "../state/session.js";
import { CodeCard } from "../use/code-card.js";
import { CompareCard } from "../use/compare-card.js";
import { ExportCard } from "../use/export-card.js";
import { PredictCard } from "../use/predict-card.js";
import { ShareCard } from "../use/share-card.js";

export function UseView() {
  const run = answer.value;
  if (!run || (route.value.run !== undefined && route.value.run !== run.id))
    return <p class="soft">One moment …</p>;
  return <Use run={run} key={run.id} />;
}

function Use({ run }: { readonly run: KeptRun }) {
  // Pictures are exported as the report draws them.
  useReport(run);
  return (
    <div class="use">
      <h1>Use the answer</h1>
      <p class="soft">{run.words.headline}</p>
      <div class="use-parts">
        <div class="stack">
          <PredictCard run={run} />
          <ShareCard run={run} />
        </div>
        <ExportCard run={run} />
        <CodeCard run={run} />
        <CompareCard run={run} />
      </div>
    </div>
  );
}
