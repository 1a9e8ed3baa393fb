// Splits a pasted command line. The result is shown before anything is saved.

const word = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/y;

/** splitCommand splits at white space outside of quotes. */
export function splitCommand(line: string): string[] {
  const words: string[] = [];
  let open = false; // the last word continues
  for (let at = 0; at < line.length; ) {
    word.lastIndex = at;
    const m = word.exec(line);
    if (!m) {
      open = !/\s/.test(line[at]!) && open;
      at++;
      continue;
    }
    const part = m[1]?.replace(/\\(["\\])/g, "$1") ?? m[2] ?? m[3]!;
    if (open) words[words.length - 1] += part;
    else words.push(part);
    at = word.lastIndex;
    open = true;
  }
  return words;
}

/** linesOf returns the non-empty lines. */
export function linesOf(text: string): string[] {
  return text.split("\n").map((l) => l.trim()).filter((l) => l !== "");
}
