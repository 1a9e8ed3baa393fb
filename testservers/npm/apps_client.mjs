// A host of MCP Apps, built with the TypeScript SDK: it prints what it sees of the servers behind a gateway.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, mode, shows, least] = process.argv.slice(2);
const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities: shows === 'views' ? { extensions: ui } : {}, versionNegotiation: { mode } }
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
let tools = [];
while (tools.length < Number(least)) { // the servers may still be starting
    ({ tools } = await client.listTools());
    await new Promise(done => setTimeout(done, 50));
}
const seen = { revision: client.getNegotiatedProtocolVersion(), tools: {}, views: {}, calls: {} };
for (const tool of tools) {
    const uri = tool._meta?.ui?.resourceUri;
    seen.tools[tool.name] = tool._meta?.ui?.visibility ?? [];
    if (uri) {
        const [view] = (await client.readResource({ uri })).contents;
        seen.views[tool.name] = { asked: uri, uri: view.uri, mimeType: view.mimeType, html: view.text.includes('<html') };
    }
}
for (const name of ['poll-system-stats', 'debug-refresh']) {
    try {
        seen.calls[name] = (await client.callTool({ name, arguments: {} })).isError ? 'isError' : 'ok';
    } catch (e) {
        seen.calls[name] = e.message;
    }
}
console.log(JSON.stringify(seen));
await client.close();
