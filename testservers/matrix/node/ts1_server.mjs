// The matrix server, built with the TypeScript SDK 1.x.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { held, options, pause, release, state, text } from './states.mjs';

function build() {
    const server = new McpServer({ name: 'ts1', version: '1.0.0' });
    server.registerTool('echo', { inputSchema: { text: z.string() } }, async a => text(a.text));
    server.registerTool('count', { inputSchema: { steps: z.number(), key: z.string() } }, async ({ steps, key }, extra) => {
        const progressToken = extra._meta?.progressToken;
        for (let progress = 1; progressToken !== undefined && progress <= steps; progress++) {
            const params = { progressToken, progress, total: steps };
            await extra.sendNotification({ method: 'notifications/progress', params });
        }
        await held(key);
        return text('done');
    });
    server.registerTool('release', { inputSchema: { key: z.string() } }, async ({ key }) => text(release(key)));
    server.registerTool('pause', { inputSchema: { key: z.string() } }, async ({ key }, extra) =>
        text(await pause(key, extra.signal))
    );
    server.registerTool('state', { inputSchema: { key: z.string() } }, async ({ key }) => text(state(key)));
    server.registerTool('ask', {}, async extra => {
        const requestedSchema = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] };
        const options = { relatedRequestId: extra.requestId };
        const answer = await server.server.elicitInput({ message: 'Which color?', requestedSchema }, options);
        return text(`${answer.action} ${answer.content.color}`);
    });
    server.registerTool('sample', {}, async extra => {
        const messages = [{ role: 'user', content: { type: 'text', text: 'Say hi' } }];
        const options = { relatedRequestId: extra.requestId };
        const answer = await server.server.createMessage({ messages, maxTokens: 10 }, options);
        return text(answer.content.text);
    });
    server.registerResource('note', 'matrix://note', {}, async uri => ({ contents: [{ uri: uri.href, text: 'a note' }] }));
    server.registerPrompt('greet', { argsSchema: { name: z.string() } }, async ({ name }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${name}` } }]
    }));
    return server;
}

const { http } = await options();
if (http) {
    const sessions = new Map();
    createServer(async (req, res) => {
        const id = req.headers['mcp-session-id'];
        let transport = sessions.get(id);
        if (!transport) {
            const onsessioninitialized = id => void sessions.set(id, transport);
            transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized });
            await build().connect(transport);
        }
        await transport.handleRequest(req, res);
    }).listen(http, '127.0.0.1');
} else {
    await build().connect(new StdioServerTransport());
}
