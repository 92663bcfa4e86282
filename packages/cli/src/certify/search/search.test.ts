import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Hit } from './search.js'
import { createSearch } from './search.js'
import { testSearch } from './self-test.js'

/** A published test number of Mastercard, and a code. */
const card = { number: '5555555555554444', securityCode: '512' }
const search = createSearch([{ number: '4444444444444448', securityCode: '987' }, card], 'ada-7f3k9q')

function hitsIn(bytes: Uint8Array, cuts: readonly number[] = []): readonly Hit[] {
  const scan = search.scan()
  const ends = [...cuts, bytes.length]
  for (const [at, end] of ends.entries()) scan.push(bytes.subarray(ends[at - 1] ?? 0, end))
  return scan.end().hits
}

const formsIn = (text: string): readonly string[] => hitsIn(Buffer.from(text)).map(({ form }) => form)

/**
 * The number in each form, as hexadecimal, and where it begins; in Base64 that is the first character that depends on it alone. Written by
 * Python 3.11: `base64.b64encode`, `base64.urlsafe_b64encode`, `base64.encodebytes`, `codecs.encode(…, 'hex')`,
 * `struct.pack('>q' | '<q' | '<d', …)`, `bytes.fromhex`, `str.encode('utf-16-le' | 'utf-16-be')`, `'\\u%04x' % ord(c)`,
 * `'&#%d;' % ord(c)`, `'%%%02X' % byte` once and twice, `number[::-1]`.
 */
const forms: readonly (readonly [form: string, hex: string, offset: number])[] = [
  ['as it is', '636172643d353535353535353535353535343434343b', 5],
  ['digits set apart', '35353535203535353520353535352034343434', 0],
  ['digits set apart', '353535352d353535352d353535352d34343434', 0],
  ['digits set apart', '352e352e352e352e352e352e352e352e352e352e352e352e342e342e342e34', 0],
  ['digits set apart', '3535353535353535353535350d0a34343434', 0],
  ['digits set apart', '35353535c2a035353535c2a035353535c2a034343434', 0],
  [
    'percent-encoded',
    '253335253335253335253335253335253335253335253335253335253335253335253335253334253334253334253334',
    0,
  ],
  [
    'percent-encoded',
    '2532353335253235333525323533352532353335253235333525323533352532353335253235333525323533352532353335253235333525323533352532353334253235333425323533342532353334',
    0,
  ],
  [
    'escaped as in JSON',
    '5c75303033355c75303033355c75303033355c75303033355c75303033355c75303033355c75303033355c75303033355c75303033355c75303033355c75303033355c75303033355c75303033345c75303033345c75303033345c7530303334',
    0,
  ],
  [
    'escaped as in HTML',
    '262335333b262335333b262335333b262335333b262335333b262335333b262335333b262335333b262335333b262335333b262335333b262335333b262335323b262335323b262335323b262335323b',
    0,
  ],
  [
    'escaped as in HTML',
    '26237833353b26237833353b26237833353b26237833353b26237833353b26237833353b26237833353b26237833353b26237833353b26237833353b26237833353b26237833353b26237833343b26237833343b26237833343b26237833343b',
    0,
  ],
  ['reversed', '34343434353535353535353535353535', 0],
  ['hexadecimal', '3335333533353335333533353335333533353335333533353334333433343334', 0],
  ['hexadecimal', '3335333533353335324433353335333533353244333533353335333532443334333433343334', 0],
  [
    'hexadecimal of UTF-16',
    '33353030333530303335303033353030333530303335303033353030333530303335303033353030333530303335303033343030333430303334303033343030',
    0,
  ],
  ['UTF-16', '3500350035003500350035003500350035003500350035003400340034003400', 0],
  ['UTF-16', '0035003500350035003500350035003500350035003500350034003400340034', 1],
  ['Base64', '4e5455314e5455314e5455314e5455314e4451304e413d3d', 0],
  ['Base64', '65794a77595734694f6949314e5455314e5455314e5455314e5455304e445130496e303d', 11],
  ['Base64', '63474675505455314e5455314e5455314e5455314e5451304e44516d', 6],
  ['Base64', '4e5455314e5341314e545531494455314e5455674e4451304e413d3d', 0],
  [
    'Base64',
    '65486834654868346548683465486834654868346548683465486834654868346548683465486834654868346548683465486834654868346548683465486834654867314e5455314e5455310a4e5455314e5455304e4451300a',
    67,
  ],
  ['Base64 of UTF-16', '414455414e514131414455414e514131414455414e514131414455414e514131414451414e4141304144513d', 2],
  ['packed decimals', '5555555555554444', 0],
  ['integer of 64 bits', '0013bcbf936b348c', 1],
  ['integer of 64 bits', '8c346b93bfbc1300', 0],
  ['floating point', '8c346b93bfbc3343', 0],
]

const codes = [...Array(12).fill(53), ...Array(4).fill(52)]
const pretty = `{
  "a": {
    "b": {
      "card": {
        "data": [
          ${codes.join(',\n          ')}
        ]
      }
    }
  }
}`

describe('a search for a card number', () => {
  it.each(forms)('finds it: %s, in the bytes %s', (form, hex, offset) => {
    expect(hitsIn(Buffer.from(hex, 'hex'))).toMatchObject([{ card: 1, what: 'number', form, offset, times: 1 }])
  })

  it.each(forms)('finds it wherever two pieces meet: %s, in the bytes %s', (_form, hex) => {
    // Letters before and after it are no part of it.
    const bytes = Buffer.concat([Buffer.from('see '), Buffer.from(hex, 'hex'), Buffer.from(' end')])
    const whole = hitsIn(bytes)
    expect(whole).toHaveLength(1)
    for (let cut = 1; cut < bytes.length; cut += 1) expect(hitsIn(bytes, [cut])).toEqual(whole)
    expect(hitsIn(bytes, [...bytes.keys()].slice(1))).toEqual(whole)
  })

  it.each(forms)('finds it wherever what is searched at once ends: %s, in the bytes %s', (form, hex, offset) => {
    const bytes = Buffer.from(hex, 'hex')
    for (let place = 65_536 - bytes.length - 8; place < 65_536 + 16; place += 7) {
      const hits = hitsIn(Buffer.concat([Buffer.alloc(place, ' '), bytes, Buffer.alloc(100_000, ' ')]))
      expect(hits).toMatchObject([{ card: 1, form, offset: place + offset, times: 1 }])
    }
  })

  it.each([
    // What Python's urllib.parse.quote makes of the number in groups.
    ['5555%205555%205555%204444', 'digits set apart'],
    ["LIKE '%5555555555554444%'", 'as it is'],
    ["LIKE '%35353535353535353535353534343434%'", 'hexadecimal'],
    ['["5","5","5","5","5","5","5","5","5","5","5","5","4","4","4","4"]', 'digits set apart'],
    [String.raw`first line\n5555555555554444\n`, 'as it is'],
    ['99995555555555554444', 'as it is'],
    [`"pan=${'\\x35'.repeat(12)}${'\\x34'.repeat(4)}"`, 'escaped as in JSON'],
    // PostgreSQL's pg_dump of a bytea: section 8.4.1 of its manual; COPY doubles the backslash.
    [String.raw`\\x35353535353535353535353534343434`, 'hexadecimal'],
    // What JSON.stringify makes of a Buffer of Node.js.
    ['{"data":[53,53,53,53,53,53,53,53,53,53,53,53,52,52,52,52]}', 'codes of its characters, digits set apart'],
    // What Python 3.11 writes of a list within others: `json.dumps({'a': {'b': {'card': {'data': list(b'5555555555554444')}}}}, indent=2)`,
    // and the same once more, as text within JSON.
    [pretty, 'codes of its characters, digits set apart'],
    [JSON.stringify({ body: pretty }), 'codes of its characters, digits set apart'],
  ])('finds it in %s', (text, form) => {
    expect(formsIn(text)).toEqual([form])
  })

  it.each([
    ["LIKE '%4012001012345672%'", 'as it is'],
    // What Python's urllib.parse.quote makes of `%4012001012345672%`.
    ['q=%254012001012345672%25', 'as it is'],
    ["LIKE '%2765432101002104%'", 'reversed'],
    ["LIKE '%34303132303031303132333435363732%'", 'hexadecimal'],
  ])('finds a number whose first two digits are an escape after a per cent sign: %s', (text, form) => {
    const scan = createSearch([{ number: '4012001012345672', securityCode: '987' }]).scan()
    scan.push(Buffer.from(text))
    expect(scan.end().hits).toMatchObject([{ form, times: 1 }])
  })

  it.each([
    // What PCI DSS 3.4.1 lets be shown: the first six and the last four digits.
    '555555******4444',
    '555555XXXXXX4444',
    'bin=555555&last=4444',
    '555555555555 4445',
    '55555555555 and 54444',
    '555555555555         4444',
    'cvv2=***&amount=512',
    'cvv2=5123',
    'amount=512',
    'cvv2 was 512',
    'cvc512',
    'cvc =========== 512',
  ])('finds nothing in %s', text => {
    expect(formsIn(text)).toEqual([])
  })

  it.each([
    'cvv2=512&x=1',
    '{"securityCode": 512}',
    'CVV: 512',
    '<cvc>512</cvc>',
    'name="cvv2"\r\n\r\n512\r\n',
    String.raw`{\"cvv\":\"512\"}`,
    'cvv2%3D512',
  ])('finds the security code in %s', text => {
    expect(hitsIn(Buffer.from(text))).toMatchObject([{ card: 1, what: 'security code' }])
  })

  it('says where the first one is, how many there are, and the name of its field', () => {
    const text = `2026-01-05 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa {"pan":"5555555555554444"} again 5555555555554444`
    expect(hitsIn(Buffer.from(text))).toEqual([
      { card: 1, what: 'number', form: 'as it is', offset: 50, times: 2, before: 'pan' },
    ])
  })

  it.each([
    ['controlKey=3E6C2A0F-AAAA-4D1B-9C55-0B1D5F0A7E21 card=', 'card'],
    ['password: hunter-two card=', 'card'],
    ['password: hunter-two ', ''],
    ['postgres://shop:hunter=', ''],
    ['"securityCode": "x", "credit_card_number": "', 'credit_card_number'],
    ['address1%3D', 'address1'],
  ])('shows of what stands before it no more than the name of its field: %s', (before, name) => {
    expect(hitsIn(Buffer.from(`${before}5555555555554444`))[0]?.before).toBe(name)
  })

  it('finds nothing in random digits, and nothing in a log that is full of numbers', () => {
    expect(hitsIn(randomDigits(500_000))).toEqual([])
    const lines = randomDigits(400_000)
      .toString()
      .replace(/.{40}/g, '2026-01-05T09:30:00.000Z INFO id=$& cvv2=*** {"ms":12,"sum":"4f%20"}\n')
    expect(hitsIn(Buffer.from(lines))).toEqual([])
  })

  it('says whether it met the word by which the run is known', () => {
    const scan = search.scan()
    scan.push(Buffer.from('mail=ada-7f3k9q%40customer.example'))
    expect(scan.end().marked).toBe(true)
    expect(search.scan().end().marked).toBe(false)
  })
})

/** Digits out of SHA-256 in counter mode: the same in each run. */
function randomDigits(count: number): Buffer {
  let text = ''
  for (let block = 0; text.length < count; block += 1) {
    text += BigInt(`0x${createHash('sha256').update(String(block)).digest('hex')}`)
  }
  return Buffer.from(text.slice(0, count))
}

describe('testSearch', () => {
  it('finds what it hides', () => {
    expect(testSearch(search, [{ number: '4444444444444448', securityCode: '987' }, card])).toEqual({
      hidden: 46,
      found: 46,
      missed: [],
    })
  })

  it('says what a search misses', () => {
    const blind = createSearch([card])
    expect(testSearch(blind, [{ number: '4444444444444448', securityCode: '987' }]).missed).toContain('Base64')
  })
})
