/** Certificates for tests: an authority, and certificates of a server at 127.0.0.1 and of a client. certificates/make.sh makes them. */
import { fileURLToPath } from 'node:url'

const at = (name: string): string => fileURLToPath(new URL(`certificates/${name}`, import.meta.url))

/** Paths of PEM files. */
export const certificates = {
  ca: at('ca.pem'),
  server: { cert: at('server.pem'), key: at('server.key') },
  client: { cert: at('client.pem'), key: at('client.key') },
}
