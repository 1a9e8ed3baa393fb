/** A server: a name such as "demo", a command as a list, or an object as in a suite. */
export type Description =
  | string
  | string[]
  | {
      target?: string
      command?: string[]
      args?: string[]
      env?: Record<string, string>
      cwd?: string
      url?: string
      headers?: Record<string, string>
      protocol?: string
      timeout?: string
      log_level?: string
    }

/** Expectations as in a suite: { contains: 'text' }, { exact: { sum: 3 } }, or a list of objects with a target. */
export type Expect = Record<string, unknown> | Record<string, unknown>[]

export interface Options {
  /** Time limit of the call, such as "5s"; one minute by default. */
  timeout?: string
  /** Why the call is expected to fail; it fails if it passes. */
  xfail?: string
  /** Responses to requests of the server, as in a suite. */
  answers?: Record<string, unknown>
  /** File for the matcher snapshot, without its suffix .snapshots.json. */
  snapshots?: string
  /** Key of this call in the file of snapshots. */
  key?: string
}

export interface EngineOptions {
  /** Options of the engine, as in a suite: { rules: ['TOOL'] }, { cases: 500 }. */
  with?: Record<string, unknown>
  expect?: Expect
  timeout?: string
  xfail?: string
}

export interface Response {
  id: number
  /** The result, as the server sent it. */
  result?: any
  /** The JSON-RPC error, as the server sent it. */
  error?: any
  /** All text blocks of the result of a tool. */
  text?: string
  is_error: boolean
  duration_ms: number
  /** What the server wrote to stderr during the call. */
  stderr?: string
  /** The last line on stdout during the call that is not a message. */
  stdout_noise?: string
  notifications?: any[]
  http?: { status: number; headers: Record<string, string> }
  exit_code?: number
  omitted?: string
  /** Checks the response against more expectations. */
  expect(expect: Expect, options?: Pick<Options, 'xfail' | 'snapshots' | 'key'>): Promise<unknown>
}

export interface Frames {
  frames: { number: number; from: 'client' | 'server'; body: string }[]
  stderr?: string
}

export interface Server {
  readonly name: string
  /** Calls a tool and checks the response; without expectations, the call must succeed. */
  call(tool: string, args?: object, expect?: Expect, options?: Options): Promise<Response>
  read(uri: string, expect?: Expect, options?: Options): Promise<Response>
  prompt(prompt: string, args?: Record<string, string>, expect?: Expect, options?: Options): Promise<Response>
  request(method: string, params?: unknown, expect?: Expect, options?: Options): Promise<Response>
  /** Calls a tool and returns the response unchecked. It fails only if there is none. */
  tryCall(tool: string, args?: object, options?: Options): Promise<Response>
  /** Checks the server for protocol conformance. */
  mustConform(options?: EngineOptions): Promise<void>
  /** Fuzzes the safe tools of the server. */
  fuzz(options?: EngineOptions): Promise<void>
  list(of?: 'tools' | 'resources' | 'templates' | 'prompts'): Promise<any[]>
  frames(response?: Response): Promise<Frames>
  /** Calls the function with a server that collects failures, and throws all of them at its end. */
  soft(run: (soft: Server) => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** Starts a server, or connects to one. */
export function start(server: Description, options?: { offers?: string[] }): Promise<Server>

/** Defines a test for each test of a suite file, with the functions of the runner. */
export function suite(
  path: string,
  runner: {
    test: (name: string, run: () => Promise<void>) => unknown
    afterAll?: (run: () => Promise<void>) => unknown
    /** The name of afterAll in node:test. */
    after?: (run: () => Promise<void>) => unknown
  }
): void

/** Stops all servers and mcptest. Without it they end with this process. */
export function shutdown(): Promise<void>

/** A failed test. Its message has the difference, the call, stderr of the server and both frames. */
export class Failure extends Error {}

/** A request that is wrong, or could not be carried out. */
export class McptestError extends Error {}
