// A tool with the schemas that people write with zod. It returns its arguments as the server understood them.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const address = z.object({ street: z.string(), city: z.string().nullable(), zip: z.number().int().optional() });
const pay = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('card'), number: z.string() }),
    z.object({ kind: z.literal('cash'), coins: z.array(z.number()) })
]);
const server = new McpServer({ name: 'orders', version: '1.0.0' });
server.registerTool(
    'place',
    {
        inputSchema: {
            address,
            pay,
            size: z.enum(['small', 'large']),
            lines: z.array(z.object({ sku: z.string(), count: z.number().int().default(1) })),
            prices: z.record(z.string(), z.number()),
            mixed: z.array(z.union([z.string(), z.number(), address])),
            at: z.iso.datetime()
        }
    },
    async given => ({ content: [{ type: 'text', text: JSON.stringify(given) }] })
);
await server.connect(new StdioServerTransport());
