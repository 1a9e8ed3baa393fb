// The report of an engine, as every check operation prints it.
import { children, content, root, type Span } from "../../json/spans";

export interface Report {
  engine: string;
  target: string;
  summary: Summary;
  rules: Rule[];
  results: Result[];
  metrics?: Record<string, number>;
  load?: LoadFigures; // of a load test
  check?: CheckVerdict; // of all checks
}

export interface LoadFigures {
  calls: number;
  rate: number;
  errors: number;
  checked: number;
  mixed_up: number;
  latency_ms: { p50: number; p95: number; p99: number; max: number };
}

export interface CheckVerdict {
  server: string;
  offers: string;
  verdict: "passed" | "failed" | "incomplete" | "unreachable";
  why?: string;
  grade: string;
  reason?: string;
  areas: Area[];
  groups: Cause[];
  not_tested: string[];
}

export interface Area {
  name: string;
  state: string;
  grade?: string;
  evidence: string; // how much was tested
  about?: string; // the findings, or why it has no grade
}

/** A Cause is what several findings have in common. */
export interface Cause {
  rule: string;
  also?: string[]; // other rules with the same cause
  title: string;
  severity: Severity;
  area: string;
  findings: number;
  subjects: string[];
  message: string;
  why?: string;
  fix?: string;
  link?: string;
  reproduce?: string;
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
  evidence?: string[]; // what was sent and received
  reproduce?: string; // one command
  not_counted?: boolean;
  at: [result: number, finding: number]; // its position in the report
}

export interface Fix {
  message: string;
  edits: { pointer: string; value?: unknown }[];
}

export type Severity = "critical" | "error" | "warning" | "info";

export const severities: Severity[] = ["critical", "error", "warning", "info"];

/** readReport finds a report in the output of an operation, or null if there is none. */
export function readReport(text: string): Report | null {
  try {
    const read = JSON.parse(text) as Partial<Report> | null;
    return read && Array.isArray(read.results) && Array.isArray(read.rules) && read.summary ? (read as Report) : null;
  } catch {
    return null;
  }
}

/** gradeOf is the grade of a checked server; empty if it has none. */
export function gradeOf(report: Report): string {
  return (report.engine === "check" && "FDCBA"[report.metrics?.grade ?? -1]) || "";
}

/** toneOfGrade is the color of a grade. */
export function toneOfGrade(grade: string): string {
  return grade === "A" || grade === "B" ? "good" : grade === "C" ? "warn" : "bad";
}

/** toneOfSeverity is the color of a severity. */
export function toneOfSeverity(severity: Severity): string {
  return severity === "critical" || severity === "error" ? "bad" : severity === "warning" ? "warn" : "note";
}

/** tally counts the results by outcome. A result with warnings alone has not failed. */
export function tally(report: Report): [number, string][] {
  const { passed, failed, skipped, broken } = report.summary;
  const severe = (r: Result) => (r.findings ?? []).some((f) => f.severity === "critical" || f.severity === "error");
  const warned = report.results.filter((r) => r.status === "failed" && (r.findings ?? []).length > 0 && !severe(r)).length;
  const all: [number, string][] = [[passed, "passed"], [failed - warned, "failed"], [warned, "with warnings"], [skipped, "skipped"], [broken, "broken"]];
  return all.filter(([n, word]) => n > 0 || word === "passed");
}

/** findings lists the findings, the most severe first and otherwise in the order of the report. */
export function findings(report: Report): Finding[] {
  const all = report.results.flatMap((r, i) => (r.findings ?? []).map((f, j): Finding => ({ ...f, at: [i, j] })));
  return all.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

/** editsOf extracts the edits of a fix from the text of the report, so that the Go side receives them verbatim. */
export function editsOf(text: string, finding: Finding, fix: number): { pointer: string; value_json?: string }[] {
  const edits = at(text, "results", finding.at[0], "findings", finding.at[1], "fixes", fix, "edits");
  return (edits ? children(text, edits) : []).map((edit) => {
    const value = children(text, edit).find((c) => c.key === "value");
    const pointer = children(text, edit).find((c) => c.key === "pointer");
    return { pointer: pointer ? content(text.slice(pointer.start, pointer.end)) : "", value_json: value && text.slice(value.start, value.end) };
  });
}

function at(text: string, ...path: (string | number)[]): Span | null {
  let span: Span | null = root(text);
  for (const step of path) span = (span && children(text, span).find((c) => (typeof step === "string" ? c.key === step : c.index === step))) ?? null;
  return span;
}

/** titleOf is the first line of a rule's documentation, without its period. */
export function titleOf(rule: Rule): string {
  return (rule.doc.split("\n", 1)[0] ?? "").replace(/\.$/, "");
}

/** bodyOf is the rest of it. */
export function bodyOf(rule: Rule): string {
  return rule.doc.slice(rule.doc.indexOf("\n") + 1).trim();
}
