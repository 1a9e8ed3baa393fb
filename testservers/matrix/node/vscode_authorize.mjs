// Authorizes with each server on the command line, up to the page that a browser opens, with the code of Visual Studio
// Code for its extension host. For each server it prints {"url": the page, "asks": whether the user is asked for a client
// ID, "error": why there is no page}. What is missing here is the other process of the editor: what it would show or store.
import { createAuthMetadata } from '@codingame/monaco-vscode-api/vscode/vs/workbench/api/common/extHostMcp';
import { ExtHostAuthentication } from '@codingame/monaco-vscode-api/vscode/vs/workbench/api/common/extHostAuthentication';

const initialize = {
    jsonrpc: '2.0', id: 1, method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'Visual Studio Code', version: '1' } }
};
const ignore = () => {};
const logger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

async function authorize(server) {
    const result = {};
    const editor = new Proxy({
        $promptForClientRegistration: async () => void (result.asks = true),
        $waitForUriHandler: () => new Promise(ignore)
    }, { get: (known, name) => known[name] ?? (async () => {}) });
    const host = new ExtHostAuthentication(
        { getProxy: () => editor },
        { environment: { appName: 'Visual Studio Code', appUriScheme: 'vscode' } },
        { openUri: async url => void (result.url = url) }, // no browser was opened, so that it does not wait for the user
        { createAppUri: async uri => uri },
        { withProgressFromSource: (source, options, task) => task({ report: ignore }, { onCancellationRequested: ignore }) },
        { createLogger: () => logger },
        logger
    );
    try {
        const response = await fetch(server, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
            body: JSON.stringify(initialize)
        });
        const { authorizationServer, serverMetadata, resourceMetadata, scopes } =
            await createAuthMetadata(server, response.headers, { sameOriginHeaders: {}, fetch, log: ignore });
        // as mainThreadAuthentication.ts does; the URL is in product.json
        const id = serverMetadata.client_id_metadata_document_supported
            ? 'https://vscode.dev/oauth/client-metadata.json' : undefined;
        const provider = await host.$registerDynamicAuthProvider(authorizationServer, serverMetadata, resourceMetadata, id);
        await host.$createSession(provider, scopes ?? [], {});
        result.error = 'a session without a browser';
    } catch (error) {
        result.error = `${error.name}: ${error.message}`;
    }
    return result.asks || result.url ? { ...result, error: undefined } : result;
}

for (const server of process.argv.slice(2)) console.log(JSON.stringify(await authorize(server)));
process.exit(0);
