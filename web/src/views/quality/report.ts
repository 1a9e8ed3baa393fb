// The report of an engine, as every operation that judges prints it.

export interface Report {
  engine: string;
  target: string;
  summary: Summary;
  rules: Rule[];
  results: Result[];
  metrics?: Record<string, number>;
}

export interface Summary {
  critical: number;
  error: number;
  warning: number;
  info: number;
  not_counted: number;
  passed: number;
  failed: number;
  skipped: number;
  broken: number;
}

export interface Rule {
  id: string;
  doc: string;
  severity: Severity;
  spec?: string;
}

export interface Result {
  status: string;
  rule?: string;
  name?: string;
  skipped?: string;
  broken?: string;
  findings?: Finding[];
}

export interface Finding {
  rule: string;
  severity: Severity;
  message: string;
  where: { subject?: string; pointer?: string; file?: string; line?: number; frames?: number[] };
  fixes?: Fix[];
  not_counted?: boolean;
}

export interface Fix {
  message: string;
  edits: { pointer: string; value?: unknown }[];
}

export type Severity = "critical" | "error" | "warning" | "info";

export const severities: Severity[] = ["critical", "error", "warning", "info"];

/** readReport finds a report in what an operation printed, or null where it printed something else. */
export function readReport(text: string): Report | null {
  try {
    const read = JSON.parse(text) as Partial<Report> | null;
    return read && Array.isArray(read.results) && Array.isArray(read.rules) && read.summary ? (read as Report) : null;
  } catch {
    return null;
  }
}

/** findings lists what was found, the gravest first and otherwise in the order of the report. */
export function findings(report: Report): Finding[] {
  const all = report.results.flatMap((r) => r.findings ?? []);
  return all.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

/** titleOf is the first line of a rule's documentation, without its full stop. */
export function titleOf(rule: Rule): string {
  return (rule.doc.split("\n", 1)[0] ?? "").replace(/\.$/, "");
}

/** bodyOf is the rest of it. */
export function bodyOf(rule: Rule): string {
  return rule.doc.slice(rule.doc.indexOf("\n") + 1).trim();
}
