// Runs of operations. They continue while another view is open.
import { signal, type Signal } from "@preact/signals";
import type { Operation, Problem, RunEvent, RunStep } from "../../api.gen";
import { Failure, send } from "../../api/client";
import { readEvents } from "../../api/sse";
import { readReport, type Report } from "./report";
import { noteRun } from "./trend";

/** A Run is one run of an operation, with its progress. */
export interface Run {
  state: "idle" | "running" | "done" | "failed" | "stopped";
  step?: RunStep;
  notices: string[];
  report: Report | null;
  result: string; // as printed
  failed: boolean;
  elapsed: number; // nanoseconds, measured by the Go side
  problem?: Problem;
}

const idle: Run = { state: "idle", notices: [], report: null, result: "", failed: false, elapsed: 0 };
const runs = new Map<string, { run: Signal<Run>; stop?: AbortController }>();

function entry(link: string, operation: string) {
  const key = link + "\n" + operation;
  const known = runs.get(key) ?? { run: signal(idle) };
  runs.set(key, known);
  return known;
}

/** runOf is the latest run of an operation on a connection. */
export function runOf(link: string, operation: string): Signal<Run> {
  return entry(link, operation).run;
}

/** stop stops a run. */
export function stop(link: string, operation: string): void {
  entry(link, operation).stop?.abort();
}

/** start runs an operation. Its progress is in the signal of runOf, under the operation's name or another one. */
export async function start(link: string, operation: Operation, input: string, name = operation.name): Promise<void> {
  const e = entry(link, name);
  e.stop?.abort();
  const stop = (e.stop = new AbortController());
  let run: Run = { ...idle, state: "running" };
  e.run.value = run;
  const change = (part: Partial<Run>) => {
    run = { ...run, ...part };
    if (e.stop === stop) e.run.value = run;
  };
  try {
    const answer = await send("POST", "/run/" + operation.path, { link: operation.linked ? link : undefined, input_json: input }, stop.signal);
    for await (const event of readEvents(answer)) onRunEvent(JSON.parse(event.data) as RunEvent, run, change);
    if (run.state === "done" && run.report) noteRun(link, name, run.report);
    if (run.state === "running") change({ state: "failed", problem: { kind: "closed", message: "The run ended without a result." } });
  } catch (problem) {
    change(stop.signal.aborted ? { state: "stopped" } : { state: "failed", problem: asProblem(problem) });
  }
}

function onRunEvent(event: RunEvent, run: Run, change: (part: Partial<Run>) => void): void {
  switch (event.kind) {
    case "step":
      return change({ step: event.step });
    case "notice":
      return change({ notices: [...run.notices, event.notice ?? ""].slice(-100) });
    case "result":
      return change({
        state: "done", result: event.result_json ?? "", report: readReport(event.result_json ?? ""), failed: event.failed ?? false,
        elapsed: event.elapsed_ns ?? 0, notices: [...run.notices, ...(event.remarks ?? [])],
      });
    case "error":
      return change({ state: "failed", problem: event.error, elapsed: event.elapsed_ns ?? 0 });
  }
}

function asProblem(problem: unknown): Problem {
  if (problem instanceof Failure) return problem.problem;
  return { kind: "bug", message: problem instanceof Error ? problem.message : String(problem) };
}
