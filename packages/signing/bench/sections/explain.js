/** How long an explanation keeps the event loop waiting: searches that find nothing, so that every mistake is tried. */
import { createPublicKey, sign } from 'node:crypto'
import { controlItems, importPublicKey } from '@tillkit/signing'
import { explainControl, explainSignature } from '@tillkit/signing/explain'
import { controlKey, privateKeyPem } from '../requests.js'

const sale = { endpointId: '39', clientOrderId: 'order-7-abcdef', amount: '1042', email: 'john.smith@gmail.com' }
const control = values => () =>
  explainControl({ items: controlItems.sale, values: { ...sale, ...values }, controlKey, expected: '0'.repeat(40) })

const formOf = (count, length) => Array.from({ length: count }, (_, place) => [`field${place}`, 'é '.repeat(length)])
const header = (method, signature) =>
  'OAuth oauth_consumer_key="merchant", oauth_nonce="n", oauth_timestamp="1669966913", oauth_version="1.0", ' +
  `oauth_signature_method="${method}", oauth_signature="${encodeURIComponent(signature)}"`
const request = { method: 'POST', url: new URL('https://gate.example/paynet/api/v2/payout/39') }
const hmac = parameters => () =>
  explainSignature({
    ...request,
    parameters,
    authorization: header('HMAC-SHA1', Buffer.alloc(20).toString('base64')),
    secrets: { consumerSecret: controlKey },
  })
const otherBaseString = parameters => {
  const authorization = header('HMAC-SHA1', 'c2ln')
  const { baseString } = explainSignature({ ...request, parameters: parameters.slice(1), authorization })
  const mask = () => '…'
  return () => explainSignature({ ...request, parameters, authorization, mask, expectedBaseString: `${baseString}a` })
}

const cases = {
  'Control value of a sale': control({}),
  'Control value of 200 characters': control({ clientOrderId: 'o'.repeat(100), email: 'e'.repeat(94) }),
  'Control value of 20 000 characters': control({ email: 'e'.repeat(20_000) }),
  'Control value of 1 000 000 characters': control({ email: 'e'.repeat(1_000_000) }),
  'HMAC-SHA1, 12 parameters': hmac(formOf(12, 10)),
  'HMAC-SHA1, 200 parameters': hmac(formOf(200, 10)),
  'HMAC-SHA1, 200 long parameters': hmac(formOf(200, 60)),
  'HMAC-SHA1, 3000 parameters': hmac(formOf(3000, 1)),
  'HMAC-SHA1, one value of 10 000 characters': hmac(formOf(1, 5000)),
  'Another base string, 200 parameters': otherBaseString(formOf(200, 10)),
  'Another base string, 3000 masked parameters': otherBaseString(formOf(3000, 1)),
  'RSA-SHA256, 200 parameters': () =>
    explainSignature({
      ...request,
      parameters: formOf(200, 10),
      authorization: header('RSA-SHA256', sign('sha256', 'another text', privateKeyPem).toString('base64')),
      publicKey: importPublicKey(createPublicKey(privateKeyPem)),
    }),
}

const calls = 5

/** The slowest of a few calls, the first included: nothing is optimized yet then. */
function longest(run) {
  let most = 0
  for (let call = 0; call < calls; call++) {
    const start = performance.now()
    run()
    most = Math.max(most, performance.now() - start)
  }
  return most
}

export const rows = Object.entries(cases).map(([name, run]) => ({
  name: `Explanation that finds nothing: ${name}`,
  against: `ms of the slowest of ${calls} calls`,
  ratio: longest(run),
  atMost: 50,
  microseconds: {},
}))
