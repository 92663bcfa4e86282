/** Starts the server of the measurements in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** @returns Where it listens, and how to stop it. */
export async function startServer() {
  const script = fileURLToPath(new URL('server.js', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { port: Number(port), stop: () => child.stdin.end() }
}
