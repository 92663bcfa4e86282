/** RSA-SHA256 header on the calling thread, against crypto.sign with a parsed key and mastercard-oauth1-signer. */
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { createRequestSigner, importPrivateKey, rsaSha256Signer, signatureBaseString } from '@tillkit/signing'
import mastercard from 'mastercard-oauth1-signer'
import { measure } from '../measure.js'
import { runOthers } from '../other-signers.js'
import { address, consumerKey, parametersOf, privateKeyPem } from '../requests.js'

const url = new URL(address)
const parameters = parametersOf(5)
const body = parameters.map(pair => pair.map(encodeURIComponent).join('=')).join('&')
const key = createPrivateKey(privateKeyPem)
const requestSigner = createRequestSigner({ consumerKey, signer: rsaSha256Signer(importPrivateKey(privateKeyPem)) })
const bytes = Buffer.from(signatureBaseString({ method: 'POST', url, parameters }))

await runOthers()
const { ratio, microseconds } = measure(
  {
    ours: () =>
      requestSigner.headerSync({ url, parameters, timestamp: Math.floor(Date.now() / 1000), nonce: randomUUID() }),
    'crypto.sign': () => sign('sha256', bytes, key),
    // It covers a hash of the body instead of the parameters, so it has less to sort.
    peer: () => mastercard.getAuthorizationHeader(address, 'POST', body, consumerKey, privateKeyPem),
  },
  10,
)
const name = 'RSA-SHA256 header, 5 parameters'

export const rows = [
  { name, against: 'times crypto.sign', ratio: ratio('ours', 'crypto.sign'), atMost: 1.06, microseconds },
  {
    name,
    against: 'times as fast as mastercard-oauth1-signer',
    ratio: ratio('peer', 'ours'),
    atLeast: 3,
    microseconds,
  },
]
