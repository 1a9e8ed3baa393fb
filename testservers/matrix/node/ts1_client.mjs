// The matrix client, built with the TypeScript SDK 1.x, which supports only revisions up to 2025-11-25.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { elicited, job, run, sampled } from './operations.mjs';

const { url, command } = job();
const client = new Client(
    { name: 'ts1', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} }, sampling: {} } }
);
client.setRequestHandler(ElicitRequestSchema, async ({ params }) => elicited(params));
client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => sampled(params));

const transport = url
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({ command: command[0], args: command.slice(1) });
let revision;
transport.setProtocolVersion = (set => v => ((revision = v), set?.call(transport, v)))(transport.setProtocolVersion);
await client.connect(transport);
await run(
    {
        revision: () => revision,
        tools: async () => (await client.listTools()).tools.map(t => t.name),
        call: async (name, args, options) =>
            (await client.callTool({ name, arguments: args }, undefined, options)).content[0].text,
        read: async uri => (await client.readResource({ uri })).contents[0].text,
        prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0].content.text
    },
    job()
);
await client.close();
