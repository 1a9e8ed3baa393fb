// What is shown to somebody without a token: every other route of mcptest would refuse.
import { useState } from "preact/hooks";
import { keepToken, refused } from "./api/client";
import { Notice } from "./components/notice";

export function Gate() {
  const [typed, setTyped] = useState("");
  return (
    <main class="gate">
      <form class="card" onSubmit={(e) => { e.preventDefault(); if (typed.trim() !== "") keepToken(typed.trim()); }}>
        <h1>This page needs its token</h1>
        <p class="muted">Open the address that <code>mcptest inspect</code> printed: the token is at its end. Or paste the token here.</p>
        {refused.value && <Notice tone="bad" role="alert">The token that was given does not fit. Each run of mcptest has its own.</Notice>}
        <label class="stack"><span>Token</span><input class="input mono" type="password" autocomplete="off" value={typed} onInput={(e) => setTyped(e.currentTarget.value)} /></label>
        <button class="button primary" disabled={typed.trim() === ""}>Open</button>
      </form>
    </main>
  );
}
