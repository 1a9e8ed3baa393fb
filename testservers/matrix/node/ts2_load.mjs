// The client of TestReplicas, built with the TypeScript SDK 2.x.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answer, load } from './load.mjs';
import { job } from './operations.mjs';

await load(job(), async ({ era, url, timeout }) => {
    const client = new Client(
        { name: 'ts2', version: '1.0.0' },
        {
            capabilities: { elicitation: { form: {} } },
            versionNegotiation: { mode: era === 'handshake' ? 'legacy' : 'auto' }
        }
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => answer(params));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return {
        call: (name, args) => client.callTool({ name, arguments: args }, { timeout: timeout * 1000, onprogress: () => {} }),
        close: () => client.close()
    };
});
process.exit(0);
