// A small Markdown renderer. Server text never becomes markup, and a URL is opened only on a
// click, in a new tab, and only if it is http or https.
import type { ComponentChildren } from "preact";

export function Markdown({ text }: { text: string }) {
  return <div class="prose">{blocks(text.replaceAll("\r\n", "\n").split("\n"))}</div>;
}

function blocks(lines: string[]): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!;
    const take = (until: (l: string) => boolean) => {
      const from = i;
      while (i < lines.length && !until(lines[i]!)) i++;
      return lines.slice(from, i);
    };
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^\s*([-*+]|\d+[.)])\s+/.exec(line);
    if (line.trim() === "") i++;
    else if (/^\s*```/.test(line)) {
      i++;
      const code = take((l) => /^\s*```/.test(l));
      i++;
      out.push(<pre tabIndex={0}><code>{code.join("\n")}</code></pre>);
    } else if (heading) {
      out.push(heading[1]!.length < 3 ? <h3>{inline(heading[2]!)}</h3> : <h4>{inline(heading[2]!)}</h4>);
      i++;
    } else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      out.push(<hr />);
      i++;
    } else if (/^\s*>/.test(line)) {
      out.push(<blockquote>{blocks(take((l) => !/^\s*>/.test(l)).map((l) => l.replace(/^\s*> ?/, "")))}</blockquote>);
    } else if (item) {
      const items = list(take((l) => l.trim() === "" || (!/^\s/.test(l) && !/^\s*([-*+]|\d+[.)])\s/.test(l))));
      out.push(/\d/.test(item[1]!) ? <ol>{items}</ol> : <ul>{items}</ul>);
    } else if (line.includes("|") && /^\s*\|?\s*:?-+/.test(lines[i + 1] ?? "")) {
      out.push(table(take((l) => !l.includes("|"))));
    } else {
      out.push(<p>{inline(take((l) => l.trim() === "" || /^\s*(```|>|#{1,6}\s|[-*+]\s|\d+[.)]\s)/.test(l) && l !== line).join("\n"))}</p>);
    }
  }
  return out;
}

function list(lines: string[]): ComponentChildren[] {
  const items: string[][] = [];
  for (const line of lines) {
    const start = /^\s*([-*+]|\d+[.)])\s+(.*)$/.exec(line);
    if (start) items.push([start[2]!]);
    else items[items.length - 1]?.push(line.trim());
  }
  return items.map((i) => <li>{inline(i.join(" "))}</li>);
}

function table(lines: string[]): ComponentChildren {
  const cells = (line: string) => line.trim().replace(/^\||\|$/g, "").split("|").map((c) => c.trim());
  const [head = "", , ...body] = lines;
  return (
    <table>
      <thead><tr>{cells(head).map((c) => <th scope="col">{inline(c)}</th>)}</tr></thead>
      <tbody>{body.map((l) => <tr>{cells(l).map((c) => <td>{inline(c)}</td>)}</tr>)}</tbody>
    </table>
  );
}

const marks = /`([^`]+)`|\*\*(.+?)\*\*|__(.+?)__|\*([^*\s][^*]*)\*|!?\[([^\]]*)\]\(((?:[^()\s]|\([^()\s]*\))+)[^)]*\)|(https?:\/\/[^\s<>)"']+)/s;

function inline(text: string): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  for (let rest = text; rest !== ""; ) {
    const m = marks.exec(rest);
    if (!m) {
      out.push(rest);
      break;
    }
    if (m.index > 0) out.push(rest.slice(0, m.index));
    if (m[1] !== undefined) out.push(<code>{m[1]}</code>);
    else if (m[2] ?? m[3]) out.push(<strong>{inline((m[2] ?? m[3])!)}</strong>);
    else if (m[4] !== undefined) out.push(<em>{inline(m[4])}</em>);
    else if (m[6] !== undefined) out.push(<Address uri={m[6]}>{m[5] || m[6]}</Address>);
    else out.push(<Address uri={m[7]!}>{m[7]}</Address>);
    rest = rest.slice(m.index + m[0].length);
  }
  return out;
}

/** Address shows a URI; it is a link only if it is safe to open. */
export function Address({ uri, children }: { uri: string; children?: ComponentChildren }) {
  if (!/^https?:\/\//i.test(uri)) return <span class={children ? "dead break" : "mono break"} title={uri}>{children ?? uri}</span>;
  return <a href={uri} target="_blank" rel="noopener noreferrer nofollow" title={uri} class="break">{children ?? uri}</a>;
}
