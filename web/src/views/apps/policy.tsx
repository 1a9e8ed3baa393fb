// The content security policy of a view, and the choice between two of them.
import { Segments } from "../../components/segments";

export interface Chosen {
  reference: boolean; // the policy of the reference host, not that of the specification
  onReference: (reference: boolean) => void;
}

export function Policy({ text, reference, onReference }: Chosen & { text: string }) {
  return (
    <div class="stack small">
      <div class="row wrap">
        <Segments label="Policy of the view" value={reference ? "reference" : "specification"} onChange={(v) => onReference(v === "reference")} segments={[{ value: "specification", text: "Specification" }, { value: "reference", text: "Reference host" }]} />
        <span class="muted">The reference host of MCP Apps also allows eval, and code from blob: and data: URLs. Neither allows origins that the server does not declare.</span>
      </div>
      <ul class="break app-policy">{text.split("; ").map((d) => <li><code>{d}</code></li>)}</ul>
    </div>
  );
}
