// The page shown without a token: every other route of mcptest requires one.
import { useState } from "preact/hooks";
import { keepToken, refused } from "./api/client";
import { Notice } from "./components/notice";

export function Gate() {
  const [typed, setTyped] = useState("");
  return (
    <main class="gate">
      <form class="card" onSubmit={(e) => { e.preventDefault(); if (typed.trim() !== "") keepToken(typed.trim()); }}>
        <h1>Token required</h1>
        <p class="muted">Open the URL that <code>mcptest inspect</code> printed; it ends with the token. Or paste the token here.</p>
        {refused.value && <Notice tone="bad" role="alert">Invalid token. Each run of mcptest generates a new one.</Notice>}
        <label class="stack"><span>Token</span><input class="input mono" type="password" autocomplete="off" value={typed} onInput={(e) => setTyped(e.currentTarget.value)} /></label>
        <button class="button primary" disabled={typed.trim() === ""}>Open</button>
      </form>
    </main>
  );
}
