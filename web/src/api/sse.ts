// Server-sent events read from a fetch, since EventSource cannot carry the token.

export interface ServerEvent {
  id: string;
  type: string;
  data: string;
}

/** readEvents yields each event of a response as it arrives, until the stream ends. */
export async function* readEvents(answer: Response): AsyncGenerator<ServerEvent> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value.replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

function parse(block: string): ServerEvent | null {
  const event: ServerEvent = { id: "", type: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue; // a comment or an empty line
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (line.startsWith("data:")) data.push(value);
    else if (line.startsWith("event:")) event.type = value;
    else if (line.startsWith("id:")) event.id = value;
  }
  event.data = data.join("\n");
  return data.length > 0 ? event : null;
}
