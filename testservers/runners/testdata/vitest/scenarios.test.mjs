// The scenarios of test runners in Vitest. Most of them fail.
import { beforeAll, test } from 'vitest'
import { start } from '@mcptest/vitest'

const sum = { a: 1, b: 2 }
const config = { command: [process.env.SCENARIO_SERVER], protocol: '2025-06-18' }
let server

beforeAll(async () => {
  server = await start(config)
})

test('pass', () => server.call('add', sum, { exact: '3' }))
test('wrong_value', () => server.call('add', sum, { exact: { sum: 4, exact: false } }))
test('wrong_text', () => server.call('lines', undefined, { exact: 'one\n2\nthree' }))
test('wrong_shape', () => server.call('add', sum, { schema: { required: ['total'] } }))
test('is_error', () => server.call('fail'))
test('dies', () => server.call('die'))
test('hangs', () => server.call('hang', undefined, undefined, { timeout: '300ms' }))
test('noise', () => server.call('noise', undefined, [{ target: 'stdout_noise', exact: '' }]))
test('output_schema', () => server.call('shape'))
test('unknown_tool', () => server.call('nothing'))
test('slow_start', async () => {
  const slow = await start({ ...config, env: { SLOW: '300ms' } })
  await slow.call('add', sum, { contains: '3' })
  await slow.stop()
})
test('xfail', () => server.call('add', sum, { exact: '4' }, { xfail: 'issue 12' }))
test('xpass', () => server.call('add', sum, { exact: '3' }, { xfail: 'issue 12' }))
test('soft', () =>
  server.soft(async (soft) => {
    await soft.call('add', sum, { exact: '4' })
    await soft.call('add', { a: 2, b: 2 }, { exact: '5' })
  }))
