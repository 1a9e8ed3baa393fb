// The call that reproduces a finding, taken from its command.
import type { Item, Link } from "../../api.gen";
import { format } from "../../json/format";
import { children, content, root, type Span } from "../../json/spans";
import { go } from "../../state/route";
import { workspaceOf } from "../tools/workspace";

export interface Reproduction {
  tool: string;
  arguments_json: string;
}

/** reproduction finds the tool call in a command such as `mcptest tools call NAME --args '{}'` or `mcptest raw --body '{}'`;
    null if the command is not one call of a listed tool. */
export function reproduction(command: string | undefined, tools: Item[]): Reproduction | null {
  if (!command) return null;
  const named = /^mcptest tools call (\S+) /.exec(command);
  const found = named ? { tool: named[1]!, arguments_json: quoted(command, "--args ") ?? "{}" } : inBody(quoted(command, "--body "));
  return found && isJson(found.arguments_json) && tools.some((t) => t.name === found.tool) ? found : null;
}

// inBody reads the call in a JSON-RPC request; its arguments stay as they are.
function inBody(body: string | null): Reproduction | null {
  if (body === null || !isJson(body)) return null;
  const of = (span: Span | undefined, key: string) => (span ? children(body, span).find((c) => c.key === key) : undefined);
  const request = root(body) ?? undefined;
  const method = of(request, "method");
  const name = of(of(request, "params"), "name");
  const args = of(of(request, "params"), "arguments");
  if (!method || !name || !args || content(body.slice(method.start, method.end)) !== "tools/call") return null;
  return { tool: content(body.slice(name.start, name.end)), arguments_json: body.slice(args.start, args.end) };
}

// quoted reads the word in single quotes after an option, as a shell does.
function quoted(command: string, option: string): string | null {
  const at = command.indexOf(option + "'");
  if (at < 0) return null;
  const rest = command.slice(at + option.length);
  const word = /^'[^']*'(?:\\''[^']*')*/.exec(rest)?.[0];
  return word === undefined ? null : word.slice(1, -1).replaceAll(`'\\''`, "'");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** tryIt runs the call in the Tools view, with its arguments in the editor. */
export async function tryIt(link: Link, call: Reproduction): Promise<void> {
  const workspace = workspaceOf(link, call.tool);
  workspace.front.value = 2;
  go("tools", link.id, call.tool);
  await workspace.use({ ...workspace.draft.value, mode: "json", json: call.arguments_json.length > 60 ? format(call.arguments_json) : call.arguments_json });
  await workspace.send({ method: "tools/call", name: call.tool, arguments_json: call.arguments_json, anyway: true });
}
