// The authorization flows run by the Go side.
import { signal } from "@preact/signals";
import type { AuthTitle, NewSignIn, SignIn, SignIns, Token, Tokens } from "../../api.gen";
import { get, path, post, remove } from "../../api/client";
import { on } from "../../api/events";

/** signIns are the known flows, the oldest first. */
export const signIns = signal<readonly SignIn[]>([]);

/** funnel lists all steps, in order. */
export const funnel = signal<readonly AuthTitle[]>([]);

function upsert(one: SignIn): void {
  const at = signIns.value.findIndex((s) => s.id === one.id);
  signIns.value = at < 0 ? [...signIns.value, one] : signIns.value.map((s, i) => (i === at ? one : s));
}

on("auth", (e) => e.sign_in && upsert(e.sign_in));

/** load reads all flows. What events changed in the meantime is newer than the response. */
export async function load(): Promise<void> {
  const before = signIns.value;
  const all = await get<SignIns>("/auth");
  const newer = signIns.value.filter((s) => !before.includes(s));
  signIns.value = all.sign_ins;
  newer.forEach(upsert);
  funnel.value = all.funnel;
}

/** begin starts an authorization flow. Events may arrive before the response, which is older then. */
export async function begin(input: NewSignIn): Promise<void> {
  const begun = await post<SignIn>("/auth", input);
  if (!signIns.value.some((s) => s.id === begun.id)) upsert(begun);
}

export async function cancel(one: SignIn): Promise<void> {
  upsert(await post<SignIn>(path("auth", one.id, "cancel")));
}

/** tokenOf describes the token stored for a server; null if there is none. */
export async function tokenOf(server: string): Promise<Token | null> {
  return (await get<Tokens>(path("servers", server, "token"))).token ?? null;
}

export async function deleteToken(server: string): Promise<void> {
  await remove(path("servers", server, "token"));
}
