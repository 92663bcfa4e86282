/** HMAC-SHA1 header with a reused signer, against oauth-1.0a and L: one createHmac over a prebuilt base string. */
import { createHmac, randomUUID } from 'node:crypto'
import { createRequestSigner, hmacSha1Signer, signatureBaseString } from '@tillkit/signing'
import OAuth from 'oauth-1.0a'
import { measure } from '../measure.js'
import { address, consumerKey, controlKey, parametersOf } from '../requests.js'

const key = `${controlKey}&`
const hmac = (text, secret) => createHmac('sha1', secret).update(text).digest('base64')
const url = new URL(address)
const signer = hmacSha1Signer({ consumerSecret: controlKey })
const requestSigner = createRequestSigner({ consumerKey, signer })
const peer = new OAuth({
  consumer: { key: consumerKey, secret: controlKey },
  signature_method: 'HMAC-SHA1',
  hash_function: hmac,
})
const thresholds = { 5: [3.5, 2.3], 16: [4.0, 3.1], 60: [4.4, 4.6] }

// Reading one character makes V8 put the text together, as sending it would.
const read = text => text.charCodeAt(text.length - 1)

export const rows = Object.entries(thresholds).flatMap(([count, [timesPeer, timesHmac]]) => {
  const parameters = parametersOf(Number(count))
  const data = Object.fromEntries(parameters)
  const fresh = () => ({ url, parameters, timestamp: Math.floor(Date.now() / 1000), nonce: randomUUID() })
  const oauth = {
    consumer_key: consumerKey,
    nonce: randomUUID(),
    signature_method: 'HMAC-SHA1',
    timestamp: '1669966913',
  }
  const baseString = signatureBaseString({
    method: 'POST',
    url,
    parameters: [...parameters, ...Object.entries(oauth).map(([name, value]) => [`oauth_${name}`, value])],
  })
  const { ratio, microseconds } = measure({
    ours: () => read(requestSigner.headerSync(fresh())),
    peer: () => read(peer.toHeader(peer.authorize({ url: address, method: 'POST', data })).Authorization),
    L: () => hmac(baseString, key),
  })
  const name = `HMAC-SHA1 header, ${count} parameters`
  return [
    { name, against: 'times as fast as oauth-1.0a', ratio: ratio('peer', 'ours'), atLeast: timesPeer, microseconds },
    { name, against: 'times L', ratio: ratio('ours', 'L'), atMost: timesHmac, microseconds },
  ]
})
