// Values that survive a reload. They live in localStorage, each under a name of its own.
import { signal, effect, type Signal } from "@preact/signals";

const prefix = "mcptest:";

/** stored reads a value, or the fallback where there is none or it cannot be read. */
export function stored<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** store keeps a value. A full or forbidden storage loses only what a reload would show. */
export function store(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    /* nothing depends on it */
  }
}

/** persisted is a signal whose value survives a reload. */
export function persisted<T>(name: string, fallback: T): Signal<T> {
  const s = signal(stored(name, fallback));
  effect(() => store(name, s.value));
  return s;
}
