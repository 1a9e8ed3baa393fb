// The kinds of requests that a server can send to the user.
import type { Question } from "../../api.gen";

export function isSampling(q: Question): boolean {
  return q.method === "sampling/createMessage";
}

export function isElicitation(q: Question): boolean {
  return !isSampling(q);
}

/** kindOf is the view that lists a request. */
export function kindOf(q: Question): "elicitation" | "sampling" {
  return isSampling(q) ? "sampling" : "elicitation";
}
