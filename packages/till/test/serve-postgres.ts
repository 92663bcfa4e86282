/**
 * Starts a server, prints its address, and stops it once its input ends. For benchmarks, which are no TypeScript.
 *
 * @module
 */
import { testServer } from './postgres-server.js'

const server = await testServer()
process.stdout.write(`${server.url}\n`)
process.stdin.resume()
process.stdin.once('end', () => {
  void server.stop()
})
