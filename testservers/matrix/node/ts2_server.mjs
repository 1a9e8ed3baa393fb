// The matrix server, built with the TypeScript SDK 2.x. It supports all revisions: over HTTP, requests up to 2025-11-25 go
// to a transport with sessions.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
    acceptedContent,
    createMcpHandler,
    inputRequired,
    inputResponse,
    isLegacyRequest,
    McpServer
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { held, options, pause, release, state, text } from './states.mjs';

function build() {
    const server = new McpServer({ name: 'ts2', version: '1.0.0' });
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async a => text(a.text));
    const counted = z.object({ steps: z.number(), key: z.string() });
    server.registerTool('count', { inputSchema: counted }, async ({ steps, key }, ctx) => {
        const progressToken = ctx.mcpReq._meta?.progressToken;
        for (let progress = 1; progressToken !== undefined && progress <= steps; progress++) {
            const params = { progressToken, progress, total: steps };
            await ctx.mcpReq.notify({ method: 'notifications/progress', params });
        }
        await held(key);
        return text('done');
    });
    server.registerTool('release', { inputSchema: z.object({ key: z.string() }) }, async ({ key }) => text(release(key)));
    server.registerTool('pause', { inputSchema: z.object({ key: z.string() }) }, async ({ key }, ctx) =>
        text(await pause(key, ctx.mcpReq.signal))
    );
    server.registerTool('state', { inputSchema: z.object({ key: z.string() }) }, async ({ key }) => text(state(key)));
    server.registerTool('ask', {}, async ctx => {
        const requestedSchema = z.object({ color: z.string() });
        const answer = acceptedContent(ctx.mcpReq.inputResponses, 'color', requestedSchema);
        if (answer) return text(`accept ${answer.color}`);
        const color = inputRequired.elicit({ message: 'Which color?', requestedSchema });
        return inputRequired({ inputRequests: { color } });
    });
    server.registerTool('sample', {}, async ctx => {
        const answer = inputResponse(ctx.mcpReq.inputResponses, 'text');
        if (answer.kind === 'sampling') return text(answer.result.content.text);
        const messages = [{ role: 'user', content: { type: 'text', text: 'Say hi' } }];
        return inputRequired({ inputRequests: { text: inputRequired.createMessage({ messages, maxTokens: 10 }) } });
    });
    server.registerResource('note', 'matrix://note', {}, async uri => ({ contents: [{ uri: uri.href, text: 'a note' }] }));
    server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, async ({ name }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${name}` } }]
    }));
    return server;
}

const { http } = await options();
if (http) {
    const sessions = new Map();
    const stateless = toNodeHandler(createMcpHandler(build, { legacy: 'reject' }));
    createServer(async (req, res) => {
        let body;
        if (req.method === 'POST') {
            const chunks = [];
            for await (const chunk of req) chunks.push(chunk);
            body = JSON.parse(Buffer.concat(chunks).toString());
        }
        const id = req.headers['mcp-session-id'];
        let transport = sessions.get(id);
        if (!transport && !(await isLegacyRequest(await toWebRequest(req, body), body))) return stateless(req, res, body);
        if (!transport) {
            const onsessioninitialized = id => void sessions.set(id, transport);
            transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized });
            await build().connect(transport);
        }
        await transport.handleRequest(req, res, body);
    }).listen(http, '127.0.0.1');
} else {
    serveStdio(build);
}
