// Validates manifest.json files as `mcpb validate` does: one JSON document per line of standard input, one verdict per line of
// standard output. The first argument is the folder for the manifest, which has its icon; the second is node_modules.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, modules] = process.argv.slice(2);
const { validateManifest } = await import(pathToFileURL(join(modules, "@anthropic-ai/mcpb/dist/node.js")));
let why = "";
console.log = console.error = (...text) => (why += text.join(" ") + "\n");
for await (const line of createInterface({ input: process.stdin })) {
  why = "";
  writeFileSync(join(folder, "manifest.json"), line);
  const valid = validateManifest(folder);
  process.stdout.write(JSON.stringify(valid ? { valid } : { valid, why }) + "\n");
}
