import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { Agent } from 'undici'
import { connectionOptions, createClientFromEnv } from '../../src/index.js'

/** @param caFile Certificates of the authority, PEM. */
export function clientWithPrivateCa(caFile: string) {
  // Without the certificates that Node.js brings along, no other authority would count.
  const ca = [...rootCertificates, readFileSync(caFile, 'utf8')]
  const dispatcher = new Agent({ ...connectionOptions, connect: { ...connectionOptions.connect, ca } })
  return { client: createClientFromEnv(process.env, { dispatcher }), dispatcher }
}
