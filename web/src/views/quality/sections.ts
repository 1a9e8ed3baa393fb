// The sections of the Quality view: an operation each, by what the user wants to know.
import type { Operation } from "../../api.gen";

export interface Section {
  title: string;
  about: string;
  action: string; // of the button
  order: number;
}

const sections: Record<string, Omit<Section, "order">> = {
  check: { title: "Overview", about: "All checks, with a grade", action: "Run all checks" },
  "schema-lint": { title: "Schemas", about: "Definitions of the tools, with fixes", action: "Check schemas" },
  conform: { title: "Protocol", about: "Conformance to the specification", action: "Check protocol" },
  fuzz: { title: "Robustness", about: "Calls with unusual and invalid arguments", action: "Fuzz tools" },
  load: { title: "Load", about: "Latency and errors at a fixed rate", action: "Run load test" },
  hosts: { title: "Hosts", about: "The tools as each host passes them to its model", action: "Show" },
  run: { title: "Suite", about: "Your own tests", action: "Run suite" },
  init: { title: "New suite", about: "A first suite, generated from this server", action: "Generate suite" },
};

/** sectionOf describes an operation. An unknown operation is last, with its title. */
export function sectionOf(operation: Operation): Section {
  const order = Object.keys(sections).indexOf(operation.name);
  const known = sections[operation.name] ?? { title: operation.title, about: operation.doc.split("\n", 1)[0] ?? "", action: "Run" };
  return { ...known, order: order < 0 ? 99 : order };
}
