// The servers that can be connected to, and the connections.
export function ServersView() {
  return <div class="page-head"><h1>Servers</h1></div>;
}
