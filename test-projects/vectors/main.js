/** Every vector that others published, and those that Python, openssl and Java made. Bun and Deno run this as well. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import {
  baseStringUri,
  controlItems,
  controlValue,
  createRequestSigner,
  decodeForm,
  hmacSha1Signer,
  importPrivateKey,
  importPublicKey,
  normalizeParameters,
  percentEncode,
  rsaSha256Signer,
  signatureBaseString,
  verifyAuthorization,
  verifyControlValue,
} from '@tillkit/signing'
import { vectors } from '@tillkit/testing/vectors'

const read = name => readFileSync(`vectors/${name}`, 'utf8')
const made = {
  control({ orderedItems }) {
    const covered = orderedItems
      .slice(0, -1)
      .map(({ name, value }) => [name === 'amountMinor' ? 'amount' : name, value])
    return controlValue(
      covered.map(([name]) => name),
      Object.fromEntries(covered),
      orderedItems.at(-1).value,
    )
  },
  'oauth-encode': ({ value }) => percentEncode(value),
  'oauth-base-uri': ({ url }) => baseStringUri(new URL(url)),
  'oauth-base-string'({ method, url, query, formBody, oauthParameters = {}, parameters: more = {} }) {
    const parameters = [...decodeForm(formBody ?? ''), ...Object.entries(oauthParameters), ...Object.entries(more)]
    const address = new URL(url ?? `https://gate.example/?${query ?? ''}`)
    return method === undefined
      ? normalizeParameters(address, parameters)
      : signatureBaseString({ method, url: address, parameters })
  },
  async 'oauth-hmac-sha1'({ method, url, pairs, signingKey }) {
    const [consumerSecret, tokenSecret] = signingKey.split('&')
    const text = signatureBaseString({ method, url: new URL(url), parameters: pairs })
    const signature = await hmacSha1Signer({ consumerSecret, tokenSecret }).sign(Buffer.from(text))
    return Buffer.from(signature).toString('base64')
  },
}
let count = 0
for (const { id, group, inputs, expected } of vectors) {
  if (group === 'response') continue
  assert.deepEqual(await made[group](inputs), expected, id)
  count += 1
}
assert.equal(count, vectors.filter(({ group }) => group !== 'response').length)

for (const { name, input, expected } of JSON.parse(read('control.json'))) {
  const items = controlItems[input.operation]
  assert.equal(controlValue(items, input.values, input.controlKey), expected, name)
  const verdict = verifyControlValue({ items, values: input.values, received: expected, controlKeys: input.controlKey })
  assert.equal(verdict.kind, 'verified', name)
  count += 1
}

// These vectors are of software that makes the key as RFC 5849 section 3.4.2 does.
const keyEncoding = 'percent-encoded'
for (const { name, input, expected } of ['oauth.json', 'oauth-java.json'].flatMap(file => JSON.parse(read(file)))) {
  const { method, consumerKey, controlKey, token, tokenSecret = '', timestamp, nonce, parameters } = input
  const isHmac = method === 'HMAC-SHA1'
  const signer = isHmac
    ? hmacSha1Signer({ consumerSecret: controlKey, tokenSecret, keyEncoding })
    : rsaSha256Signer(importPrivateKey(read('rsa-test-key.pem')))
  const url = new URL(input.url)
  const fresh = { url, parameters, timestamp, nonce }
  const header = await createRequestSigner({ consumerKey, signer, ...(token === undefined ? {} : { token }) }).header(
    fresh,
  )
  assert.equal(header, expected.header, name)
  const verdict = await verifyAuthorization({
    method: 'POST',
    url,
    parameters,
    authorization: header,
    keys: {
      hmacSecrets: controlKey,
      tokenSecret,
      keyEncoding,
      publicKeys: [importPublicKey(read('rsa-test-public.pem'))],
    },
    policy: { now: timestamp, windowSeconds: 0 },
  })
  assert.equal(verdict.kind, 'verified', name)
  count += 1
}
assert.ok(count > 60, `only ${count} vectors were tried`)
