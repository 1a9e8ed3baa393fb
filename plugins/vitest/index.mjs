import mcptest from './index.js'
export const { start, suite, shutdown, Failure, McptestError } = mcptest
export default mcptest
