import { readFileSync } from 'node:fs'
import { createClient, importPrivateKey } from '../src/index.js'

const { TILLKIT_CONTROL_KEY, TILLKIT_PRIVATE_KEY, TILLKIT_PRIVATE_KEY_FILE } = process.env
// Many settings hold a line break as the two characters \n.
const pem = TILLKIT_PRIVATE_KEY?.replaceAll('\\n', '\n') ?? readFileSync(TILLKIT_PRIVATE_KEY_FILE ?? 'gateway-test.pem')

export const client = createClient({
  baseUrl: 'https://sandbox.example/paynet',
  endpointId: 39,
  login: 'merchant',
  controlKey: TILLKIT_CONTROL_KEY,
  privateKey: importPrivateKey(pem, { label: 'test' }),
  environment: 'test',
})
