// Copies a call in another format to the clipboard.
import type { Call, Copy, Link } from "../../api.gen";
import { get, path } from "../../api/client";
import { Menu } from "../../components/menu";
import { showError, copy } from "../../components/toasts";

const kinds = [
  { as: "mcptest", label: "mcptest command" },
  { as: "curl", label: "curl command" },
  { as: "suite", label: "suite test" },
  { as: "jsonrpc", label: "JSON-RPC message" },
];

export function CopyAs({ call, link }: { call: Call; link: Link }) {
  const offered = kinds.filter((k) => k.as !== "curl" || /^https?:/.test(link.address)); // curl cannot start a process
  const run = async (as: string) => {
    const got = await get<Copy>(path("links", call.link, "calls", call.n, "copy") + "?as=" + as);
    await copy(got.text, got.note ? "Copied. " + got.note : "Copied");
  };
  return <Menu label="Copy as" icon="copy" text="Copy as" actions={offered.map((k) => ({ label: k.label, run: () => void run(k.as).catch(showError) }))} />;
}
