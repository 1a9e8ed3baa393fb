// The sections of the Quality view: an operation each, by what the user wants to know.
import type { Operation } from "../../api.gen";

export interface Section {
  title: string;
  about: string;
  action: string; // of the button
  none: string; // before the first run
  order: number;
}

const sections: Record<string, Omit<Section, "order">> = {
  check: { title: "Overview", about: "All checks, with a grade", action: "Run all checks", none: "Not checked yet" },
  "schema-lint": { title: "Schemas", about: "Definitions of the tools, with fixes", action: "Check schemas", none: "Not checked yet" },
  conform: { title: "Protocol", about: "Conformance to the specification", action: "Check protocol", none: "Not checked yet" },
  fuzz: { title: "Robustness", about: "Calls with unusual and invalid arguments", action: "Fuzz tools", none: "Not checked yet" },
  load: { title: "Load", about: "Latency and errors at a fixed rate", action: "Run load test", none: "Not run yet" },
  hosts: { title: "Hosts", about: "The tools as each host passes them to its model", action: "Show", none: "Not shown yet" },
  run: { title: "Suite", about: "Your own tests", action: "Run suite", none: "Not run yet" },
  init: { title: "New suite", about: "A first suite, generated from this server", action: "Generate suite", none: "No suite yet" },
};

/** sectionOf describes an operation. An unknown operation is last, with its title. */
export function sectionOf(operation: Operation): Section {
  const order = Object.keys(sections).indexOf(operation.name);
  const known = sections[operation.name] ?? { title: operation.title, about: operation.doc.split("\n", 1)[0] ?? "", action: "Run", none: "Not run yet" };
  return { ...known, order: order < 0 ? 99 : order };
}
