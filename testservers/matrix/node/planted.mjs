// A server of the TypeScript SDK with one planted bug in each tool, as they are found in real servers. A fuzzer must find
// all of them.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'planted-typescript', version: '1.0.0' });
const annotations = { readOnlyHint: true, openWorldHint: false };
const tasks = [
    { title: 'Water the plants', labels: ['home'] },
    { title: 'Write the report', labels: ['work'] }
];
const tool = (name, description, inputSchema, run) =>
    server.registerTool(name, { description, inputSchema, annotations }, async args => ({
        content: [{ type: 'text', text: JSON.stringify(run(args)) }]
    }));

tool(
    'list_tasks',
    'List tasks that have one of the labels.',
    { query: z.string(), labels: z.array(z.string()).optional() },
    // the optional argument omitted
    ({ query, labels }) => tasks.filter(t => t.title.includes(query) && labels.some(l => t.labels.includes(l)))
);

tool('longest', 'Return the longest of some titles.', { titles: z.array(z.string()) }, ({ titles }) =>
    titles.reduce((a, b) => (b.length > a.length ? b : a)) // an empty list
);

tool('share_link', 'Return a link that contains a title.', { title: z.string() }, ({ title }) =>
    'https://tasks.example/?t=' + btoa(title) // text that is not Latin-1
);

tool('remind_at', 'Return the time of a reminder in some hours.', { hours: z.number() }, ({ hours }) =>
    new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString() // a number that is too large
);

const word = /\w+/g;
tool('first_word', 'Return the first word of a title.', { title: z.string() }, ({ title }) => {
    if (!/\w/.test(title)) return '';
    return word.exec(title)[0]; // the second call: the expression remembers where it stopped
});

tool('is_path', 'Report whether a text is a path of names.', { path: z.string() }, ({ path }) =>
    /^(\/?[\w.-]+)*\/?$/.test(path) // exponential time for many letters before another character
);

await server.connect(new StdioServerTransport());
