/**
 * The two sides of a signature, line by line. What the other side signs is made with node:crypto over text that is written out
 * here; the first examples are published ones (see `vectors/published.json`).
 */
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ComparedLine, cutAtDifference, explainControl, explainSignature } from '../src/explain/index.js'
import { controlItems } from '../src/index.js'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const values = { endpointId: '1111', clientOrderId: '902B4FF5', amount: '1042', email: 'john.smith@gmail.com' }
const sale = { items: controlItems.sale, values, controlKey }

const differing = (lines: readonly ComparedLine[]): ComparedLine[] => lines.filter(({ differs }) => differs)

describe('the lines of a control value', () => {
  it('agree where the value is the published one', () => {
    const { lines, matches } = explainControl({ ...sale, expected: 'c6bdd88a78834ef4b863b088827a459f039e8257' })
    expect(matches).toBe(true)
    expect(lines.map(({ name, ours, theirs, differs }) => [name, ours === theirs, differs])).toEqual([
      ['endpointId', true, false],
      ['clientOrderId', true, false],
      ['amount', true, false],
      ['email', true, false],
      ['control key', true, false],
    ])
  })

  it('show the one item that differs, and what the other side digests', () => {
    const expected = sha1(`1111902B4FF510.42john.smith@gmail.com${controlKey}`)
    const explained = explainControl({ ...sale, expected })
    expect(differing(explained.lines)).toEqual([{ name: 'amount', ours: '1042', theirs: '10.42', differs: true }])
    expect(explained.explanation?.fix).toContain('minor units')
  })

  it('show items in another order by their place', () => {
    const { lines } = explainControl({ ...sale, expected: sha1(`9021111B4FF5`) })
    expect(differing(lines)).toEqual([])
    const expected = sha1(`902B4FF511111042john.smith@gmail.com${controlKey}`)
    expect(differing(explainControl({ ...sale, expected }).lines)).toEqual([
      { name: '1: endpointId, clientOrderId', ours: '1111', theirs: '902B4FF5', differs: true },
      { name: '2: clientOrderId, endpointId', ours: '902B4FF5', theirs: '1111', differs: true },
    ])
  })

  it('show items of another operation, each only where a side has it', () => {
    const items = controlItems.void
    const order = { login: 'merchant', clientOrderId: '902B4FF5', orderId: '77' }
    const expected = sha1(`merchant902B4FF577EUR${controlKey}`)
    const { lines } = explainControl({ items, values: order, controlKey, expected, candidates: { currency: ['EUR'] } })
    expect(differing(lines)).toEqual([
      { name: 'amount', theirs: '', differs: true },
      { name: 'currency', theirs: 'EUR', differs: true },
    ])
  })

  it('say nothing of the other side where its mistake is not known', () => {
    for (const expected of [sha1('unrelated'), 'no digest', undefined]) {
      const explained = explainControl({ ...sale, ...(expected === undefined ? {} : { expected }) })
      expect(explained.lines.some(line => 'theirs' in line || 'differs' in line)).toBe(false)
    }
  })

  it.each([
    ['left out', '', 'it was left out'],
    ['in lower case', controlKey.toLowerCase(), 'lower case'],
    ['without hyphens', controlKey.replaceAll('-', ''), 'hyphens'],
  ])('show no key, a wrong one neither: %s', (_title, key, said) => {
    const expected = sha1(`1111902B4FF51042john.smith@gmail.com${key}`)
    const explained = explainControl({ ...sale, expected })
    expect(differing(explained.lines)).toEqual([
      { name: 'control key', ours: '<control key>', theirs: '…', differs: true },
    ])
    expect(explained.explanation?.text).toContain(said)
    expect(JSON.stringify(explained).toLowerCase().replaceAll('-', '')).not.toContain('b17f59b4')
  })
})

describe('the lines of a signature', () => {
  const url = new URL('https://gate.example/paynet/api/v2/payout/39')
  const authorization = (signature: string): string =>
    'OAuth oauth_consumer_key="merchant", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", ' +
    `oauth_timestamp="1669966913", oauth_version="1.0", oauth_signature="${encodeURIComponent(signature)}"`
  const oauth =
    'oauth_consumer_key%3Dmerchant%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26' +
    'oauth_timestamp%3D1669966913%26oauth_version%3D1.0'
  const address = 'https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F39'
  const parameters = { amount: '10.00', credit_card_number: '4444555566661111', order_desc: 'two cups' }
  const card = 'credit_card_number%3D4444555566661111'
  const mask = (name: string, value: string): string => (name === 'credit_card_number' ? '444455******1111' : value)
  const explain = (baseString: string, key = `${controlKey}&`) =>
    explainSignature({
      method: 'POST',
      url,
      parameters,
      authorization: authorization(createHmac('sha1', key).update(baseString).digest('base64')),
      secrets: { consumerSecret: controlKey },
      mask,
    })
  const right = `POST&${address}&amount%3D10.00%26${card}%26${oauth}%26order_desc%3Dtwo%2520cups`

  it('agree where the signature is right, card data masked', () => {
    const { lines, signatureMatches } = explain(right)
    expect(signatureMatches).toBe(true)
    expect(differing(lines)).toEqual([])
    const masked = 'credit_card_number%3D444455%252A%252A%252A%252A%252A%252A1111'
    expect(lines.slice(0, 4)).toEqual([
      { name: 'method', ours: 'POST', theirs: 'POST', differs: false },
      { name: 'address', ours: address, theirs: address, differs: false },
      { name: 'amount', ours: 'amount%3D10.00', theirs: 'amount%3D10.00', differs: false },
      { name: 'credit_card_number', ours: masked, theirs: masked, differs: false },
    ])
  })

  it.each([
    [
      'a space as "+"',
      right.replace('two%2520cups', 'two%2Bcups'),
      { name: 'order_desc', ours: 'order_desc%3Dtwo%2520cups', theirs: 'order_desc%3Dtwo%2Bcups', differs: true },
    ],
    [
      'another address',
      right.replace('%2Fpaynet', ''),
      { name: 'address', ours: address, theirs: address.replace('%2Fpaynet', ''), differs: true },
    ],
    ['another method', right.replace('POST', 'GET'), { name: 'method', ours: 'POST', theirs: 'GET', differs: true }],
    [
      'a parameter left out',
      right.replace('amount%3D10.00%26', ''),
      { name: 'amount', ours: 'amount%3D10.00', differs: true },
    ],
    [
      'a token that is not sent',
      right.replace('%26oauth_version', '%26oauth_token%3D%26oauth_version'),
      { name: 'oauth_token', theirs: '…', differs: true },
    ],
  ])('show %s, which the signature betrays', (_title, theirs, line) => {
    const explained = explain(theirs)
    expect(explained.signatureMatches).toBe(false)
    expect(differing(explained.lines)).toEqual([line])
    expect(JSON.stringify(explained)).not.toContain('4444555566661111')
  })

  it('agree where only the key is wrong', () => {
    const explained = explain(right, controlKey)
    expect(explained.explanation).toMatchObject({ mistake: 'key', fix: expect.stringContaining('key') })
    expect(explained.lines.every(({ differs }) => differs === false)).toBe(true)
  })

  it('say nothing of the other side where its mistake is not known', () => {
    const { lines } = explain('unrelated')
    expect(lines).toHaveLength(10)
    expect(lines.some(line => 'theirs' in line || 'differs' in line)).toBe(false)
  })

  it("show no card number of a base string that is somebody else's", () => {
    const theirs = right.replace(card, 'credit_card_number%3D5555444433332222%26note%3D5555444433332222')
    const { lines } = explainSignature({
      method: 'POST',
      url,
      parameters,
      authorization: authorization('c2ln'),
      expectedBaseString: theirs.replace('gate.example', '5555444433332222.example'),
      mask,
    })
    expect(JSON.stringify(lines)).not.toContain('5555444433332222')
    expect(differing(lines).map(({ name }) => name)).toEqual(['address', 'credit_card_number', 'note'])
  })
})

describe('cutAtDifference', () => {
  it.each([
    ['1042', '10.42', { same: '10', ours: '42', theirs: '.42' }],
    ['same', 'same', { same: 'same', ours: '', theirs: '' }],
    ['', 'x', { same: '', ours: '', theirs: 'x' }],
    // NFC and NFD: the letter stays with its accent.
    ['Zoe\u0308', 'Zoe\u0301', { same: 'Zo', ours: 'e\u0308', theirs: 'e\u0301' }],
    // These two differ in the second half of their surrogate pairs.
    ['a\u{1F600}', 'a\u{1F601}', { same: 'a', ours: '\u{1F600}', theirs: '\u{1F601}' }],
  ])('cuts %j and %j before the first character that differs', (ours, theirs, cut) => {
    expect(cutAtDifference(ours, theirs)).toEqual(cut)
  })
})
