// Authorizes with each server on the command line, up to the page that a browser opens, with the TypeScript SDK 2.x.
// For each server it prints {"url": the page, "error": why there is none}.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

async function authorize(server) {
    let url, information, state;
    const provider = {
        redirectUrl: 'http://127.0.0.1:49152/callback',
        clientMetadata: {
            client_name: 'matrix',
            redirect_uris: ['http://127.0.0.1:49152/callback'],
            grant_types: ['authorization_code', 'refresh_token'],
            token_endpoint_auth_method: 'none'
        },
        clientInformation: () => information,
        saveClientInformation: i => void (information = i),
        tokens: () => undefined,
        saveTokens: () => {},
        saveCodeVerifier: () => {},
        codeVerifier: () => '',
        discoveryState: () => state,
        saveDiscoveryState: s => void (state = s),
        redirectToAuthorization: u => void (url = u.href)
    };
    const client = new Client({ name: 'matrix', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
    try {
        await client.connect(new StreamableHTTPClientTransport(new URL(server), { authProvider: provider }));
        return { error: 'no authorization was required' };
    } catch (error) {
        return url ? { url } : { error: `${error.name}: ${error.message}` };
    } finally {
        await client.close();
    }
}

for (const server of process.argv.slice(2)) console.log(JSON.stringify(await authorize(server)));
process.exit(0);
