/** No value that is masked is in an explanation, however the other side has put its base string together. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ExplainSignatureOptions, explainSignature } from '../src/explain/index.js'
import { mangle, manglingWith } from './mangled-text.js'
import { strict } from './mistaken-base-string.js'

const pan = '4444555566661111'
const signature = 'c2VjcmV0IHNpZ25hdHVyZQ=='

const request = {
  method: 'POST',
  url: new URL('https://gate.example/paynet/api/v4/transfer/39'),
  parameters: [
    ['amount', '10.00'],
    ['card', pan],
    ['order_desc', 'a gift'],
  ],
  authorization: `OAuth oauth_nonce="n-1", oauth_signature="${strict(signature)}", oauth_timestamp="1669970001"`,
  mask: (name, value) => (name === 'card' ? '***' : value),
} as const satisfies ExplainSignatureOptions

const address = 'https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv4%2Ftransfer%2F39'
const rest = 'oauth_nonce%3Dn-1%26oauth_timestamp%3D1669970001%26order_desc%3Da%2520gift'
const covered = `amount%3D10.00%26card%3D${pan}%26${rest}`
const ours = `POST&${address}&${covered}`

const shown = (options: ExplainSignatureOptions): string => JSON.stringify(explainSignature(options))

/** Any four neighbouring digits of the card number: what is asked about is more than that, its middle. */
const pieces = Array.from({ length: 13 }, (_, at) => pan.slice(at, at + 4))
function expectNoPan(text: string): void {
  for (const piece of pieces) expect(text).not.toContain(piece)
}

const escapedDigits = [...pan].map(digit => `%3${digit}`).join('')

describe('the card number', () => {
  it.each([
    ['the query in the address', `POST&${address}%3Fcard%3D${pan}&${rest}`],
    ['the query in the address, encoded twice', `POST&${address}%253Fcard%253D${pan}&${rest}`],
    ['its part encoded once more', `POST&${address}&${strict(covered)}`],
    ['its part not encoded', `POST&${address}&${decodeURIComponent(covered)}`],
    ['";" between parameters', ours.replaceAll('%26', ';')],
    ['"%3B" between parameters', ours.replaceAll('%26', '%3B')],
    ['"%2526" between parameters', ours.replaceAll('%26', '%2526')],
    ['":" for "="', ours.replaceAll('%3D', ':')],
    ['"%253D" for "="', ours.replaceAll('%3D', '%253D')],
    ['address and parameters swapped', `POST&${covered}&${address}`],
    ['address and method swapped', `${address}&POST&${covered}`],
    ['the parameters in place of the method', `${covered}&${address}&POST`],
    ['the number for the method', `${pan}&${address}&${covered}`],
    ['the name in another letter case', ours.replace('card', 'Card')],
    ['another name', ours.replace('card', 'credit_card_number')],
    ['the number for a name', ours.replace(`card%3D${pan}`, `${pan}%3Dcard`)],
    ['the number as the value of another parameter', ours.replace('10.00', pan)],
    ['a part of the number as the value of another parameter', ours.replace('10.00', '55556666')],
    ['the number in groups', ours.replace('10.00', '4444%252D5555%2B6666%25201111')],
    ['the number in escapes', ours.replace('10.00', escapedDigits)],
    ['the number in escapes of escapes', ours.replace('10.00', strict(strict(escapedDigits)))],
    ['the number in lower-case escapes', ours.replace('10.00', `%253a%3a${pan}%253f`)],
    ['the number after a "%"', ours.replace('10.00', `50%2525${pan}`)],
    ['the number in the nonce', ours.replace('n-1', `n-${pan}`)],
    ['the number in the address', ours.replace('%2F39', `%2F${pan}`)],
    ['another number', ours.replace(pan, `${pan.slice(0, 12)}2222`)],
    ['nothing but the number', pan],
  ])('is not shown when the other side has %s', (_what, expectedBaseString) => {
    expectNoPan(shown({ ...request, expectedBaseString }))
  })

  it('is not shown when it is a part of a longer value that is encoded once', () => {
    const parameters = [['card', `A & ${pan}`]] as const
    const expectedBaseString = `POST&${address}&card%3DA%20%26%20${pan}%26${rest}`
    expectNoPan(shown({ ...request, parameters, expectedBaseString }))
  })

  it.each([
    ['a description', { parameters: [...request.parameters, ['note', `paid with ${pan}`]] }],
    ['a description, in groups', { parameters: [...request.parameters, ['note', '4444 5555 6666 1111']] }],
    ['an address, encoded', { parameters: [...request.parameters, ['back', `https://shop.example/?a=%20${pan}`]] }],
    ['a name', { parameters: [...request.parameters, [pan, 'x']] }],
    ['the path', { url: new URL(`https://gate.example/paynet/${pan}/39`) }],
    ['the query', { url: new URL(`https://gate.example/paynet/39?for=${pan}`) }],
    ['the nonce', { authorization: `OAuth oauth_nonce="${pan}"` }],
  ] as const)('is not shown when our own request has it in %s as well', (_what, change) => {
    const changed = { ...request, ...change }
    expectNoPan(shown(changed))
    expectNoPan(shown({ ...changed, expectedBaseString: ours }))
    expectNoPan(shown({ ...changed, expectedBaseString: `${ours}%26z%3D${pan}` }))
  })

  it('is not in the name of a parameter at fault', () => {
    const parameters = [...request.parameters, [pan, 'x']] as const
    const { explanation } = explainSignature({ ...request, parameters, expectedBaseString: ours })
    expect(explanation).toMatchObject({
      mistake: 'parameter-left-out',
      item: '***',
      text: '***: the other side does not cover it',
    })
  })
})

describe('a base string mangled in any way', () => {
  const manglings = fc.array(manglingWith(pan), { minLength: 1, maxLength: 4 })

  it('shows nothing of a masked value', () => {
    fc.assert(
      fc.property(manglings, how => {
        const expectedBaseString = how.reduce(mangle, ours)
        expectNoPan(shown({ ...request, expectedBaseString }))
      }),
      { numRuns: 1000 },
    )
  })

  it('shows nothing of a short masked value that this side does not show', () => {
    const parameters = [
      ['amount', '10.00'],
      ['cvv2', '987'],
      ['order_desc', 'a gift'],
    ] as const
    const mask = (name: string, value: string): string => (name === 'cvv2' ? '***' : value)
    const right = `POST&${address}&amount%3D10.00%26cvv2%3D987%26${rest}`
    fc.assert(
      fc.property(manglings, how => {
        const expectedBaseString = how.reduce(mangle, right)
        const explained = explainSignature({ ...request, parameters, mask, expectedBaseString })
        expect(JSON.stringify(explained)).not.toContain('987')
      }),
      { numRuns: 1000 },
    )
  })

  it('shows nothing of the signature, masked or not', () => {
    const { mask: _mask, ...unmasked } = request
    const right = ours.replace('%26order', `%26oauth_signature%3D${strict(strict(signature))}%26order`)
    fc.assert(
      fc.property(manglings, how => {
        const text = shown({ ...unmasked, expectedBaseString: how.reduce(mangle, right) })
        expect(text).not.toMatch(/c2Vjc|cmV0I|HNpZ|25hdH|VyZQ/i)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the signature', () => {
  it.each([
    ['";" between parameters', `${ours};oauth_signature=${signature}`],
    ['":" for "="', `${ours}%26oauth_signature:${signature}`],
    ['it in capitals', `${ours}%26OAUTH_SIGNATURE%3D${strict(strict(signature))}`],
    ['it in the address', `POST&${address}%3Foauth_signature%3D${strict(signature)}&${covered}`],
  ])('is not shown when the other side has %s', (_what, expectedBaseString) => {
    const { mask: _mask, ...unmasked } = request
    expect(shown({ ...unmasked, expectedBaseString })).not.toContain('c2VjcmV0')
  })

  it('that is expected is not shown either, nor are the secrets', () => {
    const parameters = [...request.parameters, ['note', 'the-control-key']] as const
    const expectedBaseString = ours.replace('n-1', 'ZXhwZWN0ZWQ%253D')
    const text = shown({
      ...request,
      parameters,
      expectedBaseString,
      expectedSignature: 'ZXhwZWN0ZWQ=',
      secrets: { consumerSecret: 'the-control-key' },
    })
    expect(text).not.toMatch(/the-control-key|ZXhwZWN0ZWQ/)
  })
})

describe('what is no secret', () => {
  it('is shown of the other side where this side shows it too', () => {
    const { lines } = explainSignature({ ...request, expectedBaseString: ours.replace('n-1', 'n-2') })
    expect(lines.find(({ differs }) => differs)).toMatchObject({
      ours: 'oauth_nonce%3Dn-1',
      theirs: 'oauth_nonce%3Dn-2',
    })
  })

  it('leaves the name of a parameter that only the other side has', () => {
    const { lines } = explainSignature({ ...request, expectedBaseString: `${ours}%26zone%3D${pan}` })
    expect(lines.find(({ differs }) => differs)).toEqual({ name: 'zone', theirs: '…', differs: true })
  })

  it('does not take a short value out of others', () => {
    const mask = (name: string, value: string): string => (name === 'month' ? '**' : value)
    const parameters = [
      ['month', '12'],
      ['amount', '12.12'],
    ] as const
    const explained = explainSignature({ ...request, parameters, mask })
    expect(explained.parameters.find(({ name }) => name === 'amount')?.value).toBe('12.12')
  })
})
