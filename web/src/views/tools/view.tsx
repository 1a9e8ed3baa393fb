// The tools of a connection.
export function ToolsView() {
  return <div class="page-head"><h1>Tools</h1></div>;
}
