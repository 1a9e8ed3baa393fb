// Import and export of transcripts.
import type { Link } from "../../api.gen";
import { path, post, send } from "../../api/client";
import { save } from "../../components/save";

/** download saves the frames of a connection in a format. Secrets are replaced by placeholders. */
export async function download(link: Link, format: "jsonl" | "har"): Promise<void> {
  const answer = await send("GET", path("links", link.id, "export") + "?format=" + format);
  save(`${link.name.replace(/[^\w.-]+/g, "-") || "mcptest"}.${format}`, await answer.blob());
}

/** importFile creates an offline connection from a file. */
export async function importFile(file: File): Promise<Link> {
  return post<Link>("/transcripts", { name: file.name, text: await file.text() });
}
