// A box to send any frame, valid or not.
import { useSignal } from "@preact/signals";
import type { Call, Link } from "../../api.gen";
import { path, post } from "../../api/client";
import { showError } from "../../components/toasts";
import { persisted } from "../../state/persist";

/** draft is the frame in the box. It outlives the view. */
export const draft = persisted("wire-draft", '{"jsonrpc":"2.0","id":"by-hand","method":"ping"}');

export function Sending({ link, onSent, onClose }: { link: Link; onSent: (call: Call) => void; onClose: () => void }) {
  const busy = useSignal(false);
  const submit = async () => {
    busy.value = true;
    try {
      onSent(await post<Call>(path("links", link.id, "calls"), { raw: draft.value }));
    } catch (problem) {
      showError(problem);
    }
    busy.value = false;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      e.stopPropagation();
      void submit();
    }
  };
  return (
    <form class="pane-foot stack send-box" onKeyDown={onKeyDown} onSubmit={(e) => { e.preventDefault(); void submit(); }}>
      <label class="stack">
        <span class="muted small">The frame is sent byte for byte, JSON or not.</span>
        <textarea class="input" aria-label="Frame to send" spellcheck={false} value={draft.value} onInput={(e) => (draft.value = e.currentTarget.value)} />
      </label>
      <div class="row">
        <button type="submit" class="button primary" disabled={busy.value || draft.value === ""}>Send <kbd>Ctrl ↵</kbd></button>
        <button type="button" class="button quiet" onClick={onClose}>Close</button>
      </div>
    </form>
  );
}
