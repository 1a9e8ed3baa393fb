'use strict'
// Tests MCP servers with the engines of mcptest. The program does the work: this module speaks its protocol, see
// docs/driver.md. It has no dependencies and works in Vitest, Jest and node:test.

const { spawn, spawnSync } = require('node:child_process')
const { createRequire } = require('node:module')
const { join } = require('node:path')

const PROTOCOL = 1

// PACKAGE is the npm package of mcptest, which the manifest names once.
const PACKAGE = Object.keys(require('./package.json').peerDependencies)[0]

// A request that is wrong, or could not be carried out: the server cannot be started, mcptest is missing.
class McptestError extends Error {
  name = 'McptestError'
}

// A failed test. Its message has the difference, the call, stderr of the server and both frames.
class Failure extends Error {
  name = 'Failure'

  // at shows the line of the test: the stack of a caller, instead of the one of this module.
  constructor(message, at) {
    super(message)
    if (at) this.stack = `Failure: ${message}\n${at.stack.split('\n').slice(1).join('\n')}`
  }
}

// trace returns the stack of the caller of a function.
function trace(called) {
  const at = {}
  Error.captureStackTrace(at, called)
  return { stack: at.stack }
}

// program returns the path of mcptest: $MCPTEST, the npm package mcptest of the project, or mcptest in PATH.
function program() {
  if (process.env.MCPTEST) return { file: process.env.MCPTEST, args: [] }
  try {
    const near = createRequire(join(process.cwd(), 'package.json'))
    return { file: process.execPath, args: [near.resolve(PACKAGE + '/bin/mcptest.js')] }
  } catch {
    return { file: process.platform === 'win32' ? 'mcptest.exe' : 'mcptest', args: [] }
  }
}

// flags are what the user permits.
function flags() {
  const known = {
    MCPTEST_UPDATE: '--update-snapshots',
    MCPTEST_ALLOW_CALLS: '--allow-calls',
    MCPTEST_ALLOW_DISRUPTIVE: '--allow-disruptive'
  }
  return Object.keys(known).filter((name) => (process.env[name] || '0') !== '0').map((name) => known[name])
}

function problem(error) {
  const hint = error.data && error.data.hint
  return new McptestError(error.message + (hint ? '\nhint: ' + hint : ''))
}

function missing(error) {
  if (error.code !== 'ENOENT') return new McptestError('cannot start mcptest: ' + error.message)
  return new McptestError(`mcptest not found; run: npm install --save-dev ${PACKAGE}, or set MCPTEST to its path`)
}

// A Driver is a running mcptest driver. It does not keep this process alive, and ends with it.
class Driver {
  #child
  #next = 0
  #pending = new Map()
  #rest = ''
  #ended = null
  names = new Set()
  isShutDown = false // nothing is left to stop: runners call their hooks in different orders

  constructor() {
    const { file, args } = program()
    this.#child = spawn(file, [...args, 'driver', ...flags()], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.on('error', (e) => this.#end(missing(e)))
    this.#child.on('close', (code) => this.#end(new McptestError(`mcptest driver has ended with status ${code}`)))
    this.#child.stdin.on('error', () => {}) // close follows
    this.#child.stdout.setEncoding('utf8')
    this.#child.stdout.on('data', (text) => this.#receive(text))
    this.#child.unref()
    this.#child.stdin.unref()
    this.#hold()
    this.ready = this.request('hello', { protocol: PROTOCOL, client: 'vitest' })
    this.ready.catch(() => {}) // whoever waits for it gets the error
  }

  // hold keeps this process alive exactly while a request is in flight.
  #hold() {
    if (this.#pending.size > 0) this.#child.stdout.ref()
    else this.#child.stdout.unref()
  }

  #end(error) {
    this.#ended ||= error
    for (const { reject } of this.#pending.values()) reject(this.#ended)
    this.#pending.clear()
  }

  #receive(text) {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()
    for (const line of lines) {
      const reply = JSON.parse(line)
      const waiting = this.#pending.get(reply.id)
      if (!waiting) continue // a notification
      this.#pending.delete(reply.id)
      this.#hold()
      if (reply.error) waiting.reject(problem(reply.error))
      else waiting.resolve(reply.result)
    }
  }

  request(method, params) {
    if (this.#ended) return Promise.reject(this.#ended)
    const id = ++this.#next
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#hold()
      this.#child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n')
    })
  }

  name() {
    let name = 'server'
    for (let n = 2; this.names.has(name); n++) name = `server-${n}`
    this.names.add(name)
    return name
  }
}

let running = null

async function driver() {
  running ||= new Driver()
  await running.ready
  return running
}

// shutdown stops all servers and mcptest. It is needed only to free resources early.
async function shutdown() {
  if (!running) return
  const ending = running
  running = null
  ending.isShutDown = true
  await ending.request('shutdown', {}).catch(() => {})
}

// start starts a server: a name such as "demo", a command as a list, or an object as in a suite.
async function start(server, options = {}) {
  const d = await driver()
  const name = d.name()
  try {
    await d.request('start', { name, server: Array.isArray(server) ? { command: server } : server, ...options })
  } catch (e) {
    d.names.delete(name)
    throw e
  }
  return new Server(d, name)
}

// A Server is a running server. If it exits, the next call starts it again.
class Server {
  #driver
  #collected = null

  constructor(driver, name) {
    this.#driver = driver
    this.name = name
  }

  call(tool, args, expect, options) {
    return this.#check('call', { ...options, tool, args, expect }, trace(this.call))
  }

  read(uri, expect, options) {
    return this.#check('read', { ...options, uri, expect }, trace(this.read))
  }

  prompt(prompt, args, expect, options) {
    return this.#check('prompt', { ...options, prompt, args, expect }, trace(this.prompt))
  }

  request(method, params, expect, options) {
    return this.#check('request', { ...options, method, params, expect }, trace(this.request))
  }

  // tryCall returns the response unchecked. It fails only if there is none.
  async tryCall(tool, args, options) {
    const at = trace(this.tryCall)
    const verdict = await this.#driver.request('call', { ...options, tool, args, server: this.name })
    const response = verdict.response || {}
    if (!('result' in response) && !('error' in response)) this.#report(verdict, at)
    return this.#response(verdict)
  }

  async mustConform(options) {
    const at = trace(this.mustConform)
    await this.#check('conform', { ...options }, at)
  }

  async fuzz(options) {
    const at = trace(this.fuzz)
    await this.#check('fuzz', { ...options }, at)
  }

  async list(of = 'tools') {
    return (await this.#driver.request('list', { server: this.name, of })).items
  }

  frames(response) {
    return this.#driver.request('frames', { server: this.name, response: response ? response.id : 0 })
  }

  // soft calls a function with a server that collects failures, and throws all of them at its end.
  async soft(run) {
    const at = trace(this.soft)
    const soft = new Server(this.#driver, this.name)
    soft.#collected = []
    await run(soft)
    if (soft.#collected.length > 0) throw new Failure(soft.#collected.join('\n\n'), at)
  }

  async stop() {
    if (this.#driver.isShutDown) return
    await this.#driver.request('stop', { server: this.name })
    this.#driver.names.delete(this.name)
  }

  async #check(method, params, at) {
    const verdict = await this.#driver.request(method, { ...params, server: this.name })
    this.#report(verdict, at)
    return this.#response(verdict)
  }

  #report(verdict, at) {
    if (verdict.status === 'passed' || verdict.status === 'skipped') return // skipped: failed as expected
    if (!this.#collected) throw new Failure(verdict.message, at)
    this.#collected.push(verdict.message)
  }

  #response(verdict) {
    const response = { ...verdict.response }
    const check = (expect, options) =>
      this.#check('assert', { ...options, response: response.id, expect }, trace(check))
    Object.defineProperty(response, 'expect', { value: check, enumerable: false })
    return response
  }
}

// suite defines a test for each test of a suite file, with the functions of the runner: suite(path, { test, afterAll }), or
// suite(path, require('node:test')), whose afterAll is called after.
function suite(path, { test, after, afterAll = after }) {
  const { file, args } = program()
  const requests = [['hello', { protocol: PROTOCOL }], ['suite/open', { path }], ['shutdown', {}]]
  const input = requests.map(([method, params], i) => JSON.stringify({ jsonrpc: '2.0', id: i + 1, method, params }))
  const listed = spawnSync(file, [...args, 'driver'], { input: input.join('\n') + '\n', maxBuffer: 1 << 26 })
  if (listed.error) throw missing(listed.error)
  for (const line of listed.stdout.toString().split('\n').filter(Boolean)) {
    const reply = JSON.parse(line)
    if (reply.error) throw problem(reply.error)
    if (reply.id === 2) define(reply.result.tests, path, test, afterAll)
  }
}

function define(tests, path, test, afterAll) {
  let opened = null
  const open = async () => {
    const d = await driver()
    return { d, suite: (await d.request('suite/open', { path })).suite }
  }
  for (const one of tests) {
    test(one.name, async () => {
      const { d, suite } = await (opened ||= open())
      const { results } = await d.request('suite/run', { suite, test: one.id })
      const failed = results.filter((r) => r.status === 'failed' || r.status === 'broken')
      if (failed.length > 0) {
        throw new Failure(failed.map((r) => (results.length > 1 ? r.name + ': ' : '') + r.message).join('\n\n'))
      }
    })
  }
  if (afterAll) {
    afterAll(async () => {
      if (!opened) return
      const { d, suite } = await opened
      if (d.isShutDown) return
      await d.request('suite/close', { suite })
    })
  }
}

module.exports = { start, suite, shutdown, Failure, McptestError }
