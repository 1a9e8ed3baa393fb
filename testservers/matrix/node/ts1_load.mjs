// The client of TestReplicas, built with the TypeScript SDK 1.x.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { answer, load } from './load.mjs';
import { job } from './operations.mjs';

await load(job(), async ({ url, timeout }) => {
    const client = new Client({ name: 'ts1', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return {
        call: (name, args) =>
            client.callTool({ name, arguments: args }, undefined, { timeout: timeout * 1000, onprogress: () => {} }),
        close: () => client.close()
    };
});
process.exit(0);
