// The runs of this session, as far as they are needed to compare them. They survive a reload of the page.
import { signal, type Signal } from "@preact/signals";
import { findings, gradeOf, severities, type Report, type Severity } from "./report";

/** A Past is one run: its outcome, and one line per finding. */
export interface Past {
  at: string;
  grade: string;
  counts: Record<Severity, number>;
  lines: string[];
}

const mostRuns = 12;
const mostLines = 2000;
const trends = new Map<string, Signal<Past[]>>();

/** trendOf are the runs of an operation on a connection, the oldest first. */
export function trendOf(link: string, operation: string): Signal<Past[]> {
  const key = `mcptest:trend:${link}:${operation}`;
  const known = trends.get(key) ?? signal(read(key));
  trends.set(key, known);
  return known;
}

/** noteRun adds a run. */
export function noteRun(link: string, operation: string, report: Report): void {
  const all = findings(report);
  const counts = Object.fromEntries(severities.map((s) => [s, all.filter((f) => f.severity === s).length])) as Past["counts"];
  const lines = all.map((f) => [f.severity, f.rule, f.where.subject, f.where.pointer, f.message.split("\n", 1)[0]].filter(Boolean).join("  ")).sort();
  const trend = trendOf(link, operation);
  trend.value = [...trend.value, { at: new Date().toISOString(), grade: gradeOf(report), counts, lines: lines.slice(0, mostLines) }].slice(-mostRuns);
  try {
    sessionStorage.setItem(`mcptest:trend:${link}:${operation}`, JSON.stringify(trend.value));
  } catch {
    /* not essential */
  }
}

function read(key: string): Past[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]") as Past[];
  } catch {
    return [];
  }
}
