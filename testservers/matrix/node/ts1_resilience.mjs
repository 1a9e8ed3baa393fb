// The client of TestResilience, built with the TypeScript SDK 1.x.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { job } from './operations.mjs';
import { run } from './scenarios.mjs';

await run(job(), async ({ url, command }) => {
    const client = new Client({ name: 'ts1', version: '1.0.0' });
    await client.connect(
        url
            ? new StreamableHTTPClientTransport(new URL(url))
            : new StdioClientTransport({ command: command[0], args: command.slice(1) })
    );
    return {
        call: async (args, timeout) =>
            (await client.callTool({ name: 'echo', arguments: args }, undefined, { timeout })).content[0].text,
        close: () => client.close()
    };
});
