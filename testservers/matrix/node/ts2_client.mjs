// The matrix client, built with the TypeScript SDK 2.x.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { elicited, job, run, sampled } from './operations.mjs';

const { era, url, command } = job();
const client = new Client(
    { name: 'ts2', version: '1.0.0' },
    {
        capabilities: { elicitation: { form: {} }, sampling: {} },
        versionNegotiation: { mode: era === 'handshake' ? 'legacy' : 'auto' }
    }
);
client.setRequestHandler('elicitation/create', async ({ params }) => elicited(params));
client.setRequestHandler('sampling/createMessage', async ({ params }) => sampled(params));

await client.connect(
    url
        ? new StreamableHTTPClientTransport(new URL(url))
        : new StdioClientTransport({ command: command[0], args: command.slice(1) })
);
await run(
    {
        revision: () => client.getNegotiatedProtocolVersion(),
        tools: async () => (await client.listTools()).tools.map(t => t.name),
        call: async (name, args, options) => (await client.callTool({ name, arguments: args }, options)).content[0].text,
        result: async (name, args) => {
            const r = await client.callTool({ name, arguments: args });
            return { got: r.content[0].text, failed: r.isError ?? false, structured: r.structuredContent };
        },
        read: async uri => (await client.readResource({ uri })).contents[0].text,
        prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0].content.text
    },
    job()
);
await client.close();
