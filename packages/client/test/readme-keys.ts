import { readFileSync } from 'node:fs'
import { createClient, importPrivateKey } from '../src/index.js'

const { GATEWAY_CONTROL_KEY, GATEWAY_PRIVATE_KEY, GATEWAY_PRIVATE_KEY_FILE } = process.env
// Many settings hold a line break as the two characters \n.
const pem = GATEWAY_PRIVATE_KEY?.replaceAll('\\n', '\n') ?? readFileSync(GATEWAY_PRIVATE_KEY_FILE ?? 'gateway-test.pem')

export const client = createClient({
  baseUrl: 'https://sandbox.example/paynet',
  endpointId: 39,
  login: 'merchant',
  controlKey: GATEWAY_CONTROL_KEY,
  privateKey: importPrivateKey(pem, { label: 'test' }),
  environment: 'test',
})
