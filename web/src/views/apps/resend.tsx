// The result that a view receives, for changes by the tester.
import { JsonEditor } from "../../components/editor";

interface Props {
  text: string;
  ready: boolean;
  onChange: (text: string) => void;
  onSend: (value: unknown) => void;
  onCancel: () => void;
}

export function ResultEditor({ text, ready, onChange, onSend, onCancel }: Props) {
  let value: unknown;
  let problem = "";
  try {
    value = JSON.parse(text);
  } catch (e) {
    problem = e instanceof Error ? e.message : String(e);
  }
  return (
    <div class="stack">
      <JsonEditor label="Result for the view" value={text} onInput={onChange} />
      {problem && <p class="problem" role="alert">{problem}</p>}
      <div class="row wrap">
        <button type="button" class="button" data-testid="app-resend" disabled={!ready || problem !== ""} onClick={() => onSend(value)}>Send this result</button>
        <button type="button" class="button quiet" disabled={!ready} onClick={onCancel}>Send tool-cancelled</button>
        {!ready && <span class="small muted">The view is not initialized.</span>}
      </div>
    </div>
  );
}
