/** Reads curl commands as they are copied, and writes code that signs: OpenSSL and a public library judge it. */
import { createHmac } from 'node:crypto'
import { compileFunction } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { asCode, isCurl, type RequestToWrite, readCurl } from '../src/explain/index.js'
import * as signing from '../src/index.js'
import { commonJs } from './esbuild.js'
import { card, controlKey, form, judge, oauthSign, payout, sale } from './requests-to-write.js'

const url = 'http://127.0.0.1:4010/paynet/api/v2/sale/39'
const read = (command: string) => {
  const found = readCurl(command)
  return found.kind === 'read'
    ? { ...found.request, url: found.request.url.href, headers: [...found.request.headers] }
    : found.text
}

describe('readCurl', () => {
  it.each([
    ['of a terminal', `curl -d 'a=1&b=x+y' -d "c=%C3%A9" ${url}`],
    [
      'of a document',
      `$ curl \\\n  --data 'a=1' \\\n  --data-urlencode 'b=x y' --data-urlencode c=é \\\n  '${url}' | jq .`,
    ],
    ['with short options together', `curl -sSXPOST -da=1 -d'b=x y' -dc=é "${url}" > /dev/null`],
    ['of Firefox', `curl '${url}' -X POST --data-raw $'a=1&b=x y&c=\\u00e9'`],
    ['of a browser on Windows', `curl ^"${url}^" ^\r\n  --data-raw ^"a=1^&b=x y^&c=^%^C3^%^A9^"`],
    [
      'with options that change nothing',
      `curl --max-time 3 -o out.json -k a=1 --data 'a=1&b=x y&c=é' -A agent ${url}`.replace('-k a=1', '-k'),
    ],
  ])('reads a command %s', (_title, command) => {
    expect(read(command)).toEqual({
      method: 'POST',
      url,
      headers: [],
      parameters: [
        ['a', '1'],
        ['b', 'x y'],
        ['c', 'é'],
      ],
    })
  })

  // Each took a minute or so while the time went with the square of the length. Options as in the manual page of curl.
  it.each([
    ['short options', `-${'s'.repeat(240_000)}XPUT`],
    ['options together', `${'-sS '.repeat(60_000)} -X PUT`],
    ['words', `${'-s '.repeat(80_000)} -XPUT`],
  ])('reads 240,000 characters of %s', (_title, options) => {
    expect(read(`curl ${options} -da=1 ${url}`)).toMatchObject({ method: 'PUT', url, parameters: [['a', '1']] })
  })

  it('reads headers, a method, and data that goes into the query', () => {
    expect(
      read(`curl -G -H 'Accept: a/b' -H "AUTHORIZATION: OAuth a=\\"1\\"" --data-urlencode 'q=x y' ${url}?p=1`),
    ).toEqual({
      method: 'GET',
      url: `${url}?p=1&q=x%20y`,
      headers: [
        ['accept', 'a/b'],
        ['authorization', 'OAuth a="1"'],
      ],
      parameters: [],
    })
  })

  it.each([
    ['curl', 'no address'],
    ['curl ftp://a.example', 'no address'],
    [`curl -d "amount=$AMOUNT" ${url}`, 'variable'],
    [`curl -d amount=$(cat amount) ${url}`, 'variable'],
    [`curl -d 'amount=1 ${url}`, 'not closed'],
    [`curl -F amount=1 ${url}`, 'multipart'],
    [`curl -d @form ${url}`, 'file'],
    [`curl -H 'Content-Type: application/json' -d '{}' ${url}`, 'Content-Type'],
    [`curl -d 'a=%zz' ${url}`, 'escape'],
  ])('says why it cannot read %s', (command, text) => {
    expect(readCurl(command)).toEqual({ kind: 'unreadable', text: expect.stringContaining(text) })
  })

  it('tells a command from other texts', () => {
    expect(['curl x', ' $ curl x', 'curl.exe x'].map(isCurl)).toEqual([true, true, true])
    expect(['curls x', 'POST&http', ''].map(isCurl)).toEqual([false, false, false])
  })
})
describe('asCode', () => {
  /** Runs the module with a `fetch` that keeps what it is given. */
  async function run(code: string, key = controlKey) {
    // Statements that await stand in a function, since a CommonJS module cannot await.
    const [imports = '', statements = ''] = code.split(/(?<=^import .*\n)\n/m)
    const compiled = await commonJs(`${imports}export const ended = (async () => {\n${statements}})()\n`)
    const sent: { url: URL; body: string; headers: Record<string, string> }[] = []
    const fetch = async (url: URL, more: { body: string; headers: Record<string, string> }) => {
      sent.push({ url, ...more })
      return { status: 200, text: async () => '' }
    }
    const require = (name: string) => (name === '@tillkit/signing' ? signing : process.getBuiltinModule(name))
    const env = { CONTROL_KEY: key, CREDIT_CARD_NUMBER: card }
    const module: { exports: { readonly ended?: Promise<void> } } = { exports: {} }
    const names = ['require', 'module', 'fetch', 'process', 'console']
    compileFunction(compiled, names)(require, module, fetch, { env }, { log: () => undefined })
    await module.exports.ended
    return sent[0]
  }

  it('sends what was sent, with the published control value', async () => {
    const code = asCode(sale)
    expect(code).toContain('controlItems.sale')
    const sent = await run(code)
    expect(sent?.url.href).toBe(sale.url.href)
    const control = ['control', 'c6bdd88a78834ef4b863b088827a459f039e8257']
    expect([...new URLSearchParams(sent?.body)]).toEqual([...form, control])
    expect(sent?.headers.accept).toBe('application/vnd.pay+json')
  })

  it('writes items out that are no row of the table', async () => {
    const signed = { ...sale.signing, operation: 'ownOperation' } as RequestToWrite['signing']
    const code = asCode({ ...sale, signing: signed })
    expect(code).toContain("['endpointId', 'clientOrderId', 'amount', 'email']")
    expect((await run(code))?.body).toContain('control=c6bdd88a78834ef4b863b088827a459f039e8257')
  })

  it('signs with HMAC-SHA1', async () => {
    const sent = await run(asCode(payout))
    expect(judge(sent?.headers.authorization ?? '').right).toBe(true)
    expect([...new URLSearchParams(sent?.body)]).toEqual(form)
  })

  // Section 5.2, step 3: the key is the control key and "&", nothing encoded. Node.js makes the signature, with OpenSSL.
  it('signs with the control key as it is', async () => {
    const key = 'a+b&c%d'
    const { authorization = '' } = (await run(asCode(payout), key))?.headers ?? {}
    const { signed } = judge(authorization)
    const input = oauthSign.generateBase('POST', sale.url.href, { ...Object.fromEntries(form), ...signed })
    const signature = createHmac('sha1', `${key}&`).update(input).digest('base64')
    expect(authorization).toContain(`oauth_signature="${encodeURIComponent(signature)}"`)
  })

  it('signs with RSA-SHA256', () => {
    const code = asCode({ ...sale, signing: { scheme: 'RSA-SHA256', consumerKey: 'merchant' } })
    expect(code).toContain("rsaSha256Signer(importPrivateKey(process.env.PRIVATE_KEY ?? ''))")
  })
})
