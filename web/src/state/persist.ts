// Values that survive a reload. They are stored in localStorage, each under its own name.
import { signal, effect, type Signal } from "@preact/signals";

const prefix = "mcptest:";

/** stored reads a value, or returns the fallback if there is none or it cannot be read. */
export function stored<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** store saves a value. If the storage is full or disabled, the value is lost on reload. */
export function store(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    /* not essential */
  }
}

/** storedNames lists the names of the stored values that begin with a text. */
export function storedNames(begin: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix + begin)).map((key) => key.slice(prefix.length)).sort();
  } catch {
    return [];
  }
}

/** persisted is a signal whose value survives a reload. */
export function persisted<T>(name: string, fallback: T): Signal<T> {
  const s = signal(stored(name, fallback));
  effect(() => store(name, s.value));
  return s;
}
