import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { machine } from "../engine/chosen.js";
import type { KeptRun } from "../state/past-runs.js";
import { packed, sharedOf } from "../state/share.js";
import { CopyButton } from "./copy-button.js";

export function ShareCard({ run }: { readonly run: KeptRun }) {
  const link = useSignal("");
  useEffect(() => {
    void packed(sharedOf(run)).then((text) => {
      link.value = `${location.href.split("#")[0]}#shared/${text}`;
    });
  }, [run, link]);
  return (
    <section class="card" aria-labelledby="share-title" data-part="share">
      <h2 id="share-title">Share by link</h2>
      <p class="note">
        The address carries the settings and this summary: names of variables with their probabilities and
        effects. No data.
        {machine && " It is an address of this machine, which others cannot open; the report is for them."}
      </p>
      <input
        type="text"
        readOnly
        class="link-field mono"
        aria-label="Link to this answer"
        name="share"
        value={link.value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="buttons">
        <CopyButton text={link.value} words="Copy the link" />
      </div>
    </section>
  );
}
