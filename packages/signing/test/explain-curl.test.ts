/** Reads curl commands as they are copied, and writes ones that a shell runs: OpenSSL and a public library judge them. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { asCode, asCurl, isCurl, type RequestToWrite, readCurl } from '../src/explain/index.js'
import * as signing from '../src/index.js'

/** Signs with a public library. */
const oauthSign: {
  hmacsign(method: string, address: string, parameters: Record<string, string>, consumerSecret: string): string
  generateBase(method: string, address: string, parameters: Record<string, string>): string
} = createRequire(import.meta.url)('oauth-sign')

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

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const card = '4444555566661111'

/** The worked example of the vendor's documentation, `control-sale-doc` in `vectors/published.json`. */
const sale: RequestToWrite = {
  url: new URL('https://gate.example/paynet/api/v2/sale/1111'),
  parameters: [
    ['client_orderid', '902B4FF5'],
    ['amount', '10.42'],
    ['email', 'john.smith@gmail.com'],
    ['order_desc', `it's "a" \\ $gift é`],
    ['credit_card_number', undefined],
  ],
  accept: 'application/vnd.pay+json',
  signing: {
    scheme: 'control',
    field: 'control',
    operation: 'sale',
    items: [
      { name: 'endpointId', value: '1111' },
      { name: 'clientOrderId', value: '902B4FF5' },
      { name: 'amount', value: '1042' },
      { name: 'email', value: 'john.smith@gmail.com' },
    ],
  },
}
const payout: RequestToWrite = { ...sale, signing: { scheme: 'HMAC-SHA1', consumerKey: 'mer chant' } }
const form = [...sale.parameters.slice(0, 4), ['credit_card_number', card]]

/** Judges a header by the public library oauth-sign. */
function judge(authorization: string): { right: boolean; signed: Record<string, string> } {
  const { oauth_signature: signature, ...oauth } = Object.fromEntries(
    [...authorization.matchAll(/(oauth_\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeURIComponent(value),
    ]),
  )
  const all = { ...Object.fromEntries(form), ...oauth }
  return { right: oauthSign.hmacsign('POST', sale.url.href, all, controlKey) === signature, signed: oauth }
}

describe('asCurl', () => {
  /** Runs the commands in a shell in which curl prints what it is given. */
  function run(commands: string, env: Record<string, string> = { CONTROL_KEY: controlKey, CREDIT_CARD_NUMBER: card }) {
    const input = `curl() { printf '%s\\0' "$@"; }\n${commands}\n`
    const { stdout, stderr, status } = spawnSync('sh', {
      input,
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    })
    return { words: stdout.split('\0').slice(0, -1), stderr, status }
  }
  const dataOf = (words: readonly string[]) => words.filter((_word, at) => words[at - 1] === '--data-urlencode')

  it('sends what was sent, with the published control value', () => {
    const { words, stderr } = run(asCurl(sale))
    expect(stderr).toBe('')
    expect(words.slice(0, 3)).toEqual([sale.url.href, '-H', 'Accept: application/vnd.pay+json'])
    const fields = form.map(([name, value]) => `${name}=${value}`)
    expect(dataOf(words)).toEqual([...fields, 'control=c6bdd88a78834ef4b863b088827a459f039e8257'])
  })

  it('signs with HMAC-SHA1, anew each time', () => {
    const headers = [run(asCurl(payout)), run(asCurl(payout))].map(
      ({ words }) => words.find(word => word.startsWith('Authorization: ')) ?? '',
    )
    const judged = headers.map(judge)
    expect(judged.map(({ right }) => right)).toEqual([true, true])
    expect(judged[0]?.signed).toMatchObject({ oauth_consumer_key: 'mer chant', oauth_version: '1.0' })
    expect(judged[0]?.signed.oauth_nonce).not.toBe(judged[1]?.signed.oauth_nonce)
  })

  it('demands the key and what is secret', () => {
    for (const request of [sale, payout]) {
      expect(run(asCurl(request), { CONTROL_KEY: controlKey })).toMatchObject({
        words: [],
        stderr: expect.stringContaining('CREDIT_CARD_NUMBER'),
      })
    }
    expect(asCurl(sale).split('\n')[0]).toBe('# Set CONTROL_KEY, CREDIT_CARD_NUMBER first.')
  })

  // curl(1), --data-urlencode: "name=content" has its content encoded; "name@filename" is read from a file.
  it('names no file, whatever a parameter is called', () => {
    const odd = ['file@/etc/hostname', 'a "b"$(id)'] as const
    const parameters = [
      [odd[0], ''],
      [odd[1], undefined],
    ] as const
    const { words } = run(asCurl({ ...payout, parameters }), { CONTROL_KEY: controlKey, A__B___ID_: '7' })
    expect(dataOf(words)).toEqual(['file%40%2Fetc%2Fhostname=', 'a%20%22b%22%24%28id%29=7'])
  })

  it('is a command that can be read again', () => {
    const again = readCurl(
      asCurl({ ...sale, parameters: sale.parameters.slice(0, 4) })
        .split('\n')
        .slice(2)
        .join('\n')
        .replace('$CONTROL', 'x'),
    )
    expect(again).toMatchObject({
      kind: 'read',
      request: { parameters: [...sale.parameters.slice(0, 4), ['control', 'x']] },
    })
  })
})

describe('asCode', () => {
  /** Runs the module with a `fetch` that keeps what it is given. */
  async function run(code: string, key = controlKey) {
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
    const { outputText, diagnostics } = ts.transpileModule(code, { compilerOptions, reportDiagnostics: true })
    expect(diagnostics).toEqual([])
    const sent: { url: URL; body: string; headers: Record<string, string> }[] = []
    const fetch = async (url: URL, more: { body: string; headers: Record<string, string> }) => {
      sent.push({ url, ...more })
      return { status: 200, text: async () => '' }
    }
    const require = (name: string) => (name === '@tillkit/signing' ? signing : process.getBuiltinModule(name))
    const env = { CONTROL_KEY: key, CREDIT_CARD_NUMBER: card }
    const body = `return (async () => { ${outputText} })()`
    await compileFunction(body, ['require', 'exports', 'fetch', 'process', 'console'])(
      require,
      {},
      fetch,
      { env },
      { log: () => undefined },
    )
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

  // Section 5.2, step 3: the key is the control key and "&", nothing encoded. OpenSSL makes the signature.
  it('signs with the control key as it is', async () => {
    const key = 'a+b&c%d'
    const { authorization = '' } = (await run(asCode(payout), key))?.headers ?? {}
    const { signed } = judge(authorization)
    const input = oauthSign.generateBase('POST', sale.url.href, { ...Object.fromEntries(form), ...signed })
    const { stdout } = spawnSync('openssl', ['dgst', '-sha1', '-hmac', `${key}&`, '-binary'], { input })
    expect(authorization).toContain(`oauth_signature="${encodeURIComponent(stdout.toString('base64'))}"`)
  })

  it('signs with RSA-SHA256', () => {
    const code = asCode({ ...sale, signing: { scheme: 'RSA-SHA256', consumerKey: 'merchant' } })
    expect(code).toContain("rsaSha256Signer(importPrivateKey(process.env.PRIVATE_KEY ?? ''))")
  })
})
