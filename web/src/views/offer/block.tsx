// One block of content.
import type { Call, Content } from "../../api.gen";
import { JsonTree } from "../../components/jsontree";
import { Markdown } from "../../components/markdown";
import { TextView } from "../../components/textview";

export function Block({ content: c }: { call: Call; content: Content }) {
  if (c.text !== undefined && c.format === "json") return <JsonTree text={c.text} label="JSON" />;
  if (c.text !== undefined && c.format === "markdown") return <Markdown text={c.text} />;
  return <TextView text={c.text ?? c.raw_json ?? ""} label="Text" />;
}
