/** Certificates for tests, made by openssl in a folder that is removed afterwards. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificates {
  /** Paths of PEM files. */
  readonly ca: string
  readonly server: { readonly cert: string; readonly key: string }
  readonly client: { readonly cert: string; readonly key: string }
  remove(): void
}

/** Makes an authority, and a certificate of a server at 127.0.0.1 and of a client. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...parameters: readonly string[]) =>
    execFileSync('openssl', parameters, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority')
  const issue = (name: string, extensions: string) => {
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    writeFileSync(at(`${name}.ext`), extensions)
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', `${name}.ext`]
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-out', `${name}.pem`)
    return { cert: at(`${name}.pem`), key: at(`${name}.key`) }
  }
  return {
    ca: at('ca.pem'),
    server: issue('server', 'subjectAltName=IP:127.0.0.1\n'),
    client: issue('client', 'extendedKeyUsage=clientAuth\n'),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
