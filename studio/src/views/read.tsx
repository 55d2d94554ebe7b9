import { useEffect } from "preact/hooks";
import { Contents } from "../read/contents.js";
import { ModelsSection } from "../read/models.js";
import { PendingReport, ReportSection, reportParts, useReport } from "../read/report-sections.js";
import { VariablesSection } from "../read/variables.js";
import { VerdictSection } from "../read/verdict.js";
import type { KeptRun } from "../state/past-runs.js";
import { route } from "../state/route.js";
import { answer } from "../state/session.js";

/** The answer first, then all that it rests on. */
export function ReadView() {
  const run = answer.value;
  if (!run || (route.value.run !== undefined && route.value.run !== run.id))
    return <p class="soft">One moment …</p>;
  return <Read run={run} key={run.id} />;
}

/** Parts of the report that are alive here take the place of those that are printed. */
const [BEFORE_MODELS, ALIVE] = [
  ["effects", "goodness"],
  ["variables", "models"],
];

function Read({ run }: { readonly run: KeptRun }) {
  useReport(run);
  const parts = reportParts.value.filter(({ id }) => !ALIVE.includes(id));
  const first = parts.filter(({ id }) => BEFORE_MODELS.includes(id));
  const rest = parts.filter(({ id }) => !BEFORE_MODELS.includes(id));
  const hasModels = (run.run.result.models?.length ?? 0) > 0;
  const contents = [
    { id: "verdict", title: "The answer" },
    { id: "variables", title: "Which variables matter" },
    ...first,
    ...(hasModels ? [{ id: "models", title: "Which models are likely" }] : []),
    ...rest,
  ];
  usePart(contents.length);
  return (
    <div class="read">
      <Contents parts={contents} run={run.id} />
      <article>
        <VerdictSection run={run} />
        <VariablesSection run={run} />
        {first.map((part) => (
          <ReportSection key={part.id} part={part} />
        ))}
        {hasModels && <ModelsSection run={run} />}
        {rest.map((part) => (
          <ReportSection key={part.id} part={part} />
        ))}
        <PendingReport />
      </article>
    </div>
  );
}

/** The part that the address names is brought into sight, once it is there. */
function usePart(ready: number): void {
  const { part } = route.value;
  useEffect(() => {
    if (part) document.getElementById(`part-${part}`)?.scrollIntoView();
  }, [part, ready]);
}
