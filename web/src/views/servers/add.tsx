// Add a server by command or URL. This does not start it.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { NewServer, Server } from "../../api.gen";
import { Failure, post } from "../../api/client";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { Segments } from "../../components/segments";
import { connect, loadServers } from "../../state/links";
import { go } from "../../state/route";
import { Words } from "./pane";
import { linesOf, splitCommand } from "./format";

export function AddDialog({ onClose }: { onClose: () => void }) {
  const kind = useSignal("command");
  const name = useSignal("");
  const command = useSignal("");
  const cwd = useSignal("");
  const env = useSignal("");
  const url = useSignal("");
  const headers = useSignal("");
  const type = useSignal("");
  const problem = useSignal("");
  const argv = splitCommand(command.value);
  const ready = kind.value === "command" ? argv.length > 0 : url.value.trim() !== "";

  const submit = async (e: Event) => {
    e.preventDefault();
    const input: NewServer = kind.value === "command"
      ? { name: name.value.trim(), command: argv, cwd: cwd.value.trim() || undefined, env: linesOf(env.value) }
      : { name: name.value.trim(), url: url.value.trim(), header: linesOf(headers.value), type: type.value || undefined };
    try {
      const added = await post<Server>("/servers", input);
      await loadServers();
      onClose();
      go("servers", added.id);
      if (!added.approval || added.approval.approved) await connect(added);
    } catch (e) {
      problem.value = e instanceof Failure ? [e.problem.message, e.problem.hint].filter(Boolean).join(" ") : String(e);
    }
  };

  return (
    <Dialog title="Add a server" onClose={onClose}>
      <form class="stack add-server" onSubmit={(e) => void submit(e)}>
        <Segments label="Transport" value={kind.value} onChange={(v) => (kind.value = v)} segments={[{ value: "command", text: "Command" }, { value: "url", text: "URL" }]} />
        {kind.value === "command" ? (
          <>
            <Row label="Command"><input class="input mono" name="command" placeholder="npx -y @modelcontextprotocol/server-everything" autocomplete="off" spellcheck={false} value={command.value} onInput={(e) => (command.value = e.currentTarget.value)} /></Row>
            {argv.length > 0 && <div class="argv"><span class="small muted">Runs without a shell as</span> <Words words={argv} /></div>}
            <Row label="Folder"><input class="input mono" name="cwd" placeholder="working directory of mcptest" autocomplete="off" spellcheck={false} value={cwd.value} onInput={(e) => (cwd.value = e.currentTarget.value)} /></Row>
            <Row label="Environment"><textarea class="input mono" name="env" rows={2} placeholder="NAME=value, one per line" spellcheck={false} value={env.value} onInput={(e) => (env.value = e.currentTarget.value)} /></Row>
          </>
        ) : (
          <>
            <Row label="URL"><input class="input mono" name="url" inputMode="url" placeholder="https://example.com/mcp" autocomplete="off" spellcheck={false} value={url.value} onInput={(e) => (url.value = e.currentTarget.value)} /></Row>
            <Row label="Headers"><textarea class="input mono" name="headers" rows={2} placeholder="Authorization: Bearer …, one per line" spellcheck={false} value={headers.value} onInput={(e) => (headers.value = e.currentTarget.value)} /></Row>
            <Row label="Transport">
              <select class="input" value={type.value} onChange={(e) => (type.value = e.currentTarget.value)}>
                <option value="">detect</option><option value="http">Streamable HTTP</option><option value="sse">HTTP+SSE (deprecated)</option>
              </select>
            </Row>
          </>
        )}
        <Row label="Name"><input class="input" name="name" placeholder="derived from the command or URL" autocomplete="off" value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} /></Row>
        {problem.value && <Notice tone="bad" role="alert">{problem.value}</Notice>}
        <div class="row"><span class="grow small muted">{kind.value === "command" ? "You approve the command before it runs. " : ""}Saved without secrets.</span><button class="button primary" disabled={!ready}>Add</button></div>
      </form>
    </Dialog>
  );
}

function Row({ label, children }: { label: string; children: ComponentChildren }) {
  return <label class="form-row"><span>{label}</span>{children}</label>;
}
