// A unified diff, line by line.

export function DiffLines({ label, diff }: { label: string; diff: string }) {
  const lines = diff.trimEnd().split("\n").filter((line) => !/^(diff |--- |\+\+\+ )/.test(line));
  return (
    <div class="diff" tabIndex={0} role="group" aria-label={label}>
      {lines.map((line, i) => <div key={i} class={"line " + (line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : line.startsWith("@@") ? "gap" : "")}>{line}</div>)}
    </div>
  );
}
