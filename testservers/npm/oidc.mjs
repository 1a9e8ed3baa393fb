// oidc-provider as an authorization server. Its user, ada, agrees to everything at once, so that a program can sign in.
// Usage: node oidc.mjs PORT [ISSUER]
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const port = Number(process.argv[2])
const issuer = process.argv[3] ?? `http://127.0.0.1:${port}`
const provider = new Provider(issuer, {
  scopes: ['openid', 'offline_access'],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: () => true,
  ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, RefreshToken: 3600, Session: 3600 },
  cookies: { keys: ['for-tests'] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    registrationManagement: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'tools', audience: resource, accessTokenTTL: 3600, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
})
const handle = provider.callback()

async function agree(req, res) {
  const { prompt, params, session } = await provider.interactionDetails(req, res)
  if (prompt.name === 'login') {
    return provider.interactionFinished(req, res, { login: { accountId: 'ada' } })
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope('openid offline_access')
  grant.addResourceScope(params.resource, 'tools')
  const grantId = await grant.save()
  return provider.interactionFinished(req, res, { consent: { grantId } }, { mergeWithLastSubmission: true })
}

createServer((req, res) => {
  req.url.startsWith('/interaction/') ? agree(req, res) : handle(req, res)
}).listen(port, '127.0.0.1')
