// The difference between two texts, line by line.

export interface DiffLine {
  sign: " " | "-" | "+" | "@"; // @ is a gap
  text: string;
}

const most = 2000; // differing lines that are compared; beyond that, all lines of one side come before all of the other

/** diffLines turns one list of lines into another. */
export function diffLines(a: string[], b: string[]): DiffLine[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ sign: " ", text }));
  return [...same(a.slice(0, head)), ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)), ...same(a.slice(a.length - tail))];
}

export interface DiffPair {
  left: string | null; // null if there is no such line
  right: string | null;
  same: boolean;
}

/** pairs puts the lines of both sides next to each other. */
export function pairs(lines: DiffLine[]): DiffPair[] {
  const out: DiffPair[] = [];
  for (let i = 0; i < lines.length; ) {
    const { sign, text } = lines[i]!;
    if (sign === " " || sign === "@") {
      out.push({ left: text, right: text, same: true });
      i++;
      continue;
    }
    const block: Record<string, string[]> = { "-": [], "+": [] };
    for (; i < lines.length && lines[i]!.sign in block; i++) block[lines[i]!.sign]!.push(lines[i]!.text);
    const [left, right] = [block["-"]!, block["+"]!];
    for (let n = 0; n < Math.max(left.length, right.length); n++) out.push({ left: left[n] ?? null, right: right[n] ?? null, same: false });
  }
  return out;
}

/** middle finds a longest common subsequence. */
function middle(a: string[], b: string[]): DiffLine[] {
  const minus = (text: string): DiffLine => ({ sign: "-", text });
  const plus = (text: string): DiffLine => ({ sign: "+", text });
  if (a.length * b.length > most * most) return [...a.map(minus), ...b.map(plus)];
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  const out: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      out.push({ sign: " ", text: a[i]! });
      i++;
      j++;
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) out.push(minus(a[i++]!));
    else out.push(plus(b[j++]!));
  }
  return [...out, ...a.slice(i).map(minus), ...b.slice(j).map(plus)];
}
