// The client of TestResilience, built with the TypeScript SDK 2.x.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { job } from './operations.mjs';
import { run } from './scenarios.mjs';

await run(job(), async ({ url, command }) => {
    const client = new Client({ name: 'ts2', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(
        url
            ? new StreamableHTTPClientTransport(new URL(url))
            : new StdioClientTransport({ command: command[0], args: command.slice(1) })
    );
    return {
        call: async (args, timeout) => (await client.callTool({ name: 'echo', arguments: args }, { timeout })).content[0].text,
        close: () => client.close()
    };
});
