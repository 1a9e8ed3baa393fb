// A list of messages with their roles.
import type { ComponentChildren } from "preact";
import type { Content, PromptMessage } from "../../api.gen";
import { Markdown } from "../../components/markdown";
import { bytes } from "../../components/size";

interface Props {
  messages: PromptMessage[];
  show?: (content: Content) => ComponentChildren; // renders a block; text only by default
}

export function MessageList({ messages, show = inWords }: Props) {
  return (
    <ol class="said" aria-label="Messages">
      {messages.map((m, i) => (
        <li key={i} class={"said-turn " + (m.role === "assistant" ? "assistant" : "user")}>
          <span class="role">{m.role}</span>
          {m.content.map((c) => <div key={c.index}>{show(c)}</div>)}
        </li>
      ))}
    </ol>
  );
}

function inWords(c: Content): ComponentChildren {
  if (c.kind === "text" && c.text !== undefined) return c.format === "markdown" ? <Markdown text={c.text} /> : <pre class="text-view">{c.text}</pre>;
  return <span class="muted">{c.kind} {c.mime ?? c.uri ?? ""} · {bytes(c.size)}</span>;
}
