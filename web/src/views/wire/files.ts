// Transcripts as files: out of the page and into it.
import type { Link } from "../../api.gen";
import { path, post, send } from "../../api/client";

/** download saves the frames of a connection in a format. Secrets are placeholders in it. */
export async function download(link: Link, format: "jsonl" | "har"): Promise<void> {
  const answer = await send("GET", path("links", link.id, "export") + "?format=" + format);
  const address = URL.createObjectURL(await answer.blob());
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = `${link.name.replace(/[^\w.-]+/g, "-") || "mcptest"}.${format}`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** importFile makes a connection to look at, of a file that was chosen. */
export async function importFile(file: File): Promise<Link> {
  return post<Link>("/transcripts", { name: file.name, text: await file.text() });
}
