/**
 * Runs npm, and gives what it printed and the code of its error in place of throwing.
 *
 * The accident it prevents: a lost answer is taken for a refusal. npm has no library that publishes and also makes provenance.
 */
import { spawn } from 'node:child_process'

export async function npm(parameters, { cwd } = {}) {
  // Under `npm run -s` npm is silent about errors as well.
  const child = spawn('npm', [...parameters, '--loglevel=error'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return {
    status,
    stdout,
    stderr,
    code: status === 0 ? undefined : (/npm error code (\w+)/.exec(stderr)?.[1] ?? 'unknown'),
  }
}
