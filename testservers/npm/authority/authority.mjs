// A real authorization server for tests: oidc-provider, with resource indicators, registration of clients, rotated refresh
// tokens and token exchange. The user is the cookie "as" of the browser, who consents to everything.
// Prints its issuer when it listens. Arguments: the lifetime of access tokens in seconds.
import http from 'node:http'
import { generateKeyPairSync, verify } from 'node:crypto'
import Provider, { errors } from 'oidc-provider'

const life = Number(process.argv[2] || 60)
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = pair.privateKey.export({ format: 'jwk' })

const server = http.createServer()
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: 'test' }] },
    cookies: { keys: ['test'] },
    scopes: ['openid', 'offline_access'],
    clients: [
      { client_id: 'gateway', client_secret: 'gateway-secret-of-the-test', redirect_uris: [],
        grant_types: ['client_credentials', exchange], response_types: [] },
      { client_id: 'page', client_secret: 'page-secret-of-the-test', application_type: 'native',
        redirect_uris: ['http://127.0.0.1/connect/callback'] }],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => ({ scope: 'mail:read mail:write', audience: resource,
          accessTokenTTL: life, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }),
      },
    },
    interactions: { url: (ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    rotateRefreshToken: true,
    ttl: { AccessToken: life, ClientCredentials: life, Interaction: 600, Session: 600, Grant: 600, RefreshToken: 600 },
  })
  const grants = new Map() // by user

  // exchanges a token of this issuer for one with the same subject and another audience
  provider.registerGrantType(exchange, async (ctx) => {
    const { subject_token: token, resource, scope } = ctx.oidc.params
    ctx.body = { access_token: await mint(subjectOf(token), ctx.oidc.client, resource, scope), token_type: 'Bearer',
      expires_in: life, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }
  }, ['subject_token', 'subject_token_type', 'requested_token_type', 'resource', 'scope', 'audience'])

  function subjectOf(token) {
    const [header, payload, signature] = token.split('.')
    if (!signature || !verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), pair.publicKey,
      Buffer.from(signature, 'base64url'))) throw new errors.InvalidGrant('invalid subject_token')
    const claims = JSON.parse(Buffer.from(payload, 'base64url'))
    if (claims.exp * 1000 < Date.now()) throw new errors.InvalidGrant('expired subject_token')
    return claims.sub
  }

  async function mint(user, client, resource, scope) {
    const token = new provider.AccessToken({ accountId: user, client, scope, gty: 'test',
      grantId: (await grantOf(user, client.clientId, resource)).jti })
    token.resourceServer = new provider.ResourceServer(resource, { scope: 'mail:read mail:write', audience: resource,
      accessTokenTTL: life, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } })
    return token.save()
  }

  async function grantOf(user, client, resource) {
    const grant = new provider.Grant({ accountId: user, clientId: client })
    grant.addOIDCScope('openid offline_access')
    if (resource) grant.addResourceScope(resource, 'mail:read mail:write')
    await grant.save()
    return grant
  }

  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/interaction/')) {
      const details = await provider.interactionDetails(ctx.req, ctx.res)
      const user = ctx.cookies.get('as')
      if (!user) ctx.throw(400, 'who are you?')
      if (details.prompt.name === 'login') {
        return provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: user } })
      }
      const grant = await grantOf(user, details.params.client_id, details.params.resource)
      grants.set(user, [...(grants.get(user) || []), grant])
      return provider.interactionFinished(ctx.req, ctx.res, { consent: { grantId: grant.jti } })
    }
    if (ctx.path === '/test/token') { // a token of a user for a resource
      ctx.body = await mint(ctx.query.user, await provider.Client.find('page'), ctx.query.resource, 'mail:read')
      return
    }
    if (ctx.path === '/test/revoke') { // ends everything that a user has consented to
      const user = ctx.query.user
      for (const grant of grants.get(user) || []) {
        await provider.RefreshToken.revokeByGrantId(grant.jti)
        await grant.destroy()
      }
      ctx.body = 'revoked'
      return
    }
    return next()
  })
  server.on('request', provider.callback())
  console.log(issuer)
})
