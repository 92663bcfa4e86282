import { readFileSync } from 'node:fs'
import { Agent } from 'undici'
import { connectionOptions, createClientFromEnv } from '../../src/index.js'

/** @param files Paths of PEM files: our certificate with its chain, its key, and the authority of the gateway. */
export function clientWithCertificate(files: { readonly cert: string; readonly key: string; readonly ca: string }) {
  const [cert, key, ca] = [files.cert, files.key, files.ca].map(path => readFileSync(path, 'utf8'))
  const dispatcher = new Agent({ ...connectionOptions, connect: { ...connectionOptions.connect, cert, key, ca } })
  return { client: createClientFromEnv(process.env, { dispatcher }), dispatcher }
}
