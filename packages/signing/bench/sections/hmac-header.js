/** HMAC-SHA1 header with a reused signer, in turn with ten other signers and L: one createHmac over a prebuilt base string. */
import { createHmac, randomUUID } from 'node:crypto'
import { createRequestSigner, hmacSha1Signer, signatureBaseString } from '@tillkit/signing'
import { measure } from '../measure.js'
import { otherSigners, runOthers } from '../other-signers.js'
import { address, consumerKey, controlKey, parametersOf } from '../requests.js'

const url = new URL(address)
const signerOf = () => createRequestSigner({ consumerKey, signer: hmacSha1Signer({ consumerSecret: controlKey }) })
const requestSigner = signerOf()
const thresholds = { 5: { timesL: 2.5 }, 16: { timesPeer: 4, timesL: 3.3 }, 60: { timesL: 5.2 } }

// Reading one character makes V8 put the text together, as sending it would.
const read = text => text.charCodeAt(text.length - 1)
const header = (signer, parameters) =>
  read(signer.headerSync({ url, parameters, timestamp: Math.floor(Date.now() / 1000), nonce: randomUUID() }))

function casesOf(count) {
  const parameters = parametersOf(count)
  const data = Object.fromEntries(parameters)
  const oauth = { oauth_consumer_key: consumerKey, oauth_nonce: randomUUID(), oauth_signature_method: 'HMAC-SHA1' }
  const covered = { ...data, ...oauth, oauth_timestamp: '1669966913', oauth_version: '1.0' }
  const baseString = signatureBaseString({ method: 'POST', url, parameters: covered })
  const forms = [parameters, parameters.toReversed()]
  const changing = signerOf()
  let turn = 0
  return {
    ours: () => header(requestSigner, parameters),
    'ours, another form': () => header(changing, forms[++turn % 2]),
    L: () => createHmac('sha1', `${controlKey}&`).update(baseString).digest('base64'),
    ...Object.fromEntries(Object.entries(otherSigners).map(([name, sign]) => [name, () => read(sign(data))])),
  }
}

await runOthers()
const forms = Object.entries(thresholds).map(([count, asked]) => ({ count, asked, cases: casesOf(Number(count)) }))
for (let turn = 0; turn < 1000; turn++) for (const { cases } of forms) for (const run of Object.values(cases)) run()

export const rows = forms.flatMap(({ count, asked: { timesPeer, timesL }, cases }) => {
  const { ratio, microseconds } = measure(cases, 1)
  const name = `HMAC-SHA1 header, ${count} parameters`
  const peer = { name, against: 'times as fast as oauth-1.0a', ratio: ratio('oauth-1.0a', 'ours'), microseconds: {} }
  return [
    { name, against: 'times L', ratio: ratio('ours', 'L'), atMost: timesL, microseconds },
    timesPeer === undefined ? peer : { ...peer, atLeast: timesPeer },
    {
      name: `${name}, each time of another form than before`,
      against: 'times L',
      ratio: ratio('ours, another form', 'L'),
      microseconds: {},
    },
  ]
})
