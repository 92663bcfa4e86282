/** `tillkit explain`. Values are published ones, or made by OpenSSL. */

import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { testCard } from '@tillkit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from './run-in-process.js'
import { runToEnd } from './start-command.js'

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

let place: string
let keyFile: string
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'tillkit explain '))
  keyFile = await file('control key.txt', `${controlKey}\n`)
})
afterAll(() => rm(place, { recursive: true, force: true }))

async function file(name: string, text: string): Promise<string> {
  const path = join(place, name)
  await writeFile(path, text)
  return path
}

/** Runs `tillkit explain`, its key in the environment unless `key` is empty. */
async function explain(input: string, words: readonly string[] = [], key = controlKey) {
  const env = key === '' ? {} : { TILLKIT_CONTROL_KEY: key }
  const { code, stdout, stderr } = await runToEnd(['explain', ...words], { input, env })
  return { code, said: stdout, complaint: stderr }
}

/** OpenSSL's, by Node.js. */
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

const url = 'https://gate.example/paynet/api/v2'
const sale = (control: string): string =>
  `curl -d client_orderid=order-7 -d amount=10.42 -d currency=EUR --data-urlencode email=ada@shop.test \\\n` +
  `  -d credit_card_number=${testCard} -d cvv2=987 -d control=${control} ${url}/sale/39`

/** The base string of a payout, in which the value of one parameter stands as it is given. */
const payout = (description: string, nonce = 'n'): string =>
  'POST&https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F39&amount%3D10.00%26oauth_consumer_key%3Dmerchant%26' +
  `oauth_nonce%3D${nonce}%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1669966913%26oauth_version%3D1.0%26` +
  `order_desc%3D${description}`
const hmac = (text: string): string => createHmac('sha1', `${controlKey}&`).update(text).digest('base64')
const payoutCommand = (signature: string): string =>
  `curl -d amount=10.00 --data-urlencode 'order_desc=Bread & tea' -H 'Authorization: OAuth oauth_consumer_key="merchant", ` +
  'oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1669966913", oauth_version="1.0", ' +
  `oauth_signature="${encodeURIComponent(signature)}"' ${url}/payout/39`

describe('tillkit explain', () => {
  it('shows the item at fault of a pasted curl command', async () => {
    const { code, said, complaint } = await explain(sale(sha1(`39order-710.42ada@shop.test${controlKey}`)))
    expect([code, complaint]).toEqual([1, ''])
    expect(said).toContain('The control value of sale: wrong.\n')
    expect(said).toContain('What to do: Cover the amount in minor units')
    expect(said).toContain('First difference: amount, character 3: “.” was signed, “4” is expected.')
    expect(said).toContain(
      ['  ≠ amount', '        signed    10.42', '        expected  1042', '                    ^', ''].join('\n'),
    )
    expect(said).toContain('  39order-71042ada@shop.test<control key>\n')
    for (const secret of [controlKey, testCard, '987']) expect(said).not.toContain(secret)
  })

  it('judges the published control value, alone', async () => {
    const words = [
      '--control',
      'c6bdd88a78834ef4b863b088827a459f039e8257',
      '--operation',
      'sale',
      '--key-file',
      keyFile,
    ]
    const items = ['endpointId=1111', 'clientOrderId=902B4FF5', 'amount=1042', 'email=john.smith@gmail.com']
    const given = [...words, ...items.flatMap(item => ['--item', item])]
    expect(await explain('', given, '')).toMatchObject({ code: 0, complaint: '' })
    const other = given.map(word => word.replace('john.smith', 'John.smith'))
    const { code, said } = await explain('', other, '')
    expect(code).toBe(1)
    expect(said).toContain('First difference: email, character 1: “j” was signed, “J” is expected.')
  })

  it('says that values were encoded twice', async () => {
    const { code, said } = await explain(payoutCommand(hmac(payout('Bread%252520%252526%252520tea'))))
    expect(code).toBe(1)
    expect(said).toContain('encodes names and values twice')
    expect(said).toContain('        expected  order_desc%3DBread%2520%2526%2520tea\n')
    expect((await explain(payoutCommand(hmac(payout('Bread%2520%2526%2520tea'))))).code).toBe(0)
  })

  it('compares the base string of the other side, and marks another nonce', async () => {
    const theirs = payout('Bread%2520%2526%2520tea', 'other')
    const { code, said } = await explain(payoutCommand(hmac(theirs)), ['--theirs', theirs])
    expect(code).toBe(1)
    expect(said).toMatch(/First difference: oauth_nonce/)
    expect(said).toContain('        expected  oauth_nonce%3Dn\n')
  })

  it('explains a base string from a file, from an argument and from the input', async () => {
    const text = payout('Bread%2Bfor%2Btea')
    const path = await file('base string.txt', `${text}\n`)
    const [first, ...others] = await Promise.all([
      explain('', ['--file', path], ''),
      explain('', ['--base-string', text], ''),
      explain(`${text}\n`, [], ''),
    ])
    expect(first?.code).toBe(1)
    expect(first?.said).toContain('it must be %20')
    expect(others).toEqual([first, first])
    expect((await explain(payout('Bread%2520for%2520tea'), [], '')).code).toBe(3)
  })

  it('breaks a long base string between its parameters, at 80 columns', async () => {
    const text = payout('Bread%2520for%2520tea')
    const { said } = await explain(text, [], '')
    const [, covered = ''] = /\nCovered when it is right, .*:\n((?: {2}.*\n)+)/.exec(said) ?? []
    const lines = covered.trimEnd().split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines.slice(0, -1).every(line => /(&|%26)$/.test(line))).toBe(true)
    expect(lines.map(line => line.trim()).join('')).toBe(text)
  })

  it('prints one line of JSON', async () => {
    const { code, said } = await explain(sale(sha1(`39order-710.42ada@shop.test${controlKey}`)), ['--json'])
    expect(code).toBe(1)
    expect(said.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(said)).toMatchObject({
      about: 'The control value of sale',
      verdict: 'wrong',
      covered: '39order-71042ada@shop.test<control key>',
      lines: expect.arrayContaining([{ name: 'amount', ours: '1042', theirs: '10.42', differs: true }]),
    })
  })

  it('shows what a terminal would obey as text', async () => {
    const obeyed = '\u001b[2J\u202e'
    const money = '-d amount=10.42 -d currency=EUR'
    const data = `--data-urlencode 'email=${obeyed}' --data-urlencode '${obeyed}=${obeyed}'`
    const { said } = await explain(`curl ${data} ${money} -d control=${sha1('x')} ${url}/sale/39`)
    expect(said).toContain('⟨U+001B⟩[2J⟨U+202E⟩')
    for (const character of ['\u001b', '\u202e']) expect(said).not.toContain(character)
  })

  it.each([
    [[], 'There is nothing to explain'],
    [['--base-string', 'x', '--control', 'y'], 'One thing at a time: --base-string and --control were given.'],
    [['--control', ''], '--control is empty.'],
    [['--item', 'amount'], '--item is "amount"; it must be name=value.'],
    [['--control', 'a'.repeat(40)], 'choose its operation'],
    [['--control', 'a'.repeat(40), '--operation', 'sael'], 'No operation has the name "sael". There are: sale,'],
    [['--file', '/no/such/file'], '--file: there is no file'],
    [['--key', 'K-secret'], "'--key'"],
    [['--key-file', 'K-secret'], 'takes the name of a file'],
    [['--public-key-file', 'K-secret'], 'takes the name of a file'],
    [['--key-file', 'none/control-key.txt'], `--key-file: there is no file ${resolve('none/control-key.txt')}.`],
    [['--key-file', tmpdir()], `--key-file: this is a directory, not a file: ${tmpdir()}.`],
  ])('ends with 2 for %j', async (words, text) => {
    const { code, said, complaint } = await explain('', words)
    expect([code, said]).toEqual([2, ''])
    expect(complaint).toContain(text)
    expect(complaint).not.toContain('K-secret')
  })

  it('asks for the control key where there is none', async () => {
    const { code, complaint } = await explain(sale(sha1('x')), [], '')
    expect(code).toBe(2)
    expect(complaint).toContain('--key-file or from TILLKIT_CONTROL_KEY')
  })

  it('is ended by Ctrl+C while it waits for its input, and its help says so', async () => {
    const input = () => new Promise<string>(() => undefined)
    expect(await runInProcess(['explain'], { input, stopped: Promise.resolve() })).toEqual({
      code: 130,
      said: '',
      complaint: 'tillkit: Stopped. Nothing was read, and nothing was sent.\n',
    })
    expect((await runInProcess(['explain', '--help'])).said).toMatch(/^ {2}130 {2}You ended it with Ctrl\+C/m)
  })
})
