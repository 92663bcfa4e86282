/**
 * The state of a customer who comes back, a signed token in an address.
 *
 * @module
 */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { readState, signState } from '../../../../packages/express-middleware/src/state/token.js'
import { alteredJson, repeated } from '../inputs.js'
import { cardNumber, type Parser, promise, promiseQuiet, promiseSame } from '../parser.js'

/** The secret of states is one of its own. */
const stateSecret = 'a-secret-for-states-of-tests-7e1d0a36'
const [purpose, secrets] = ['hosted-form' as const, [{ id: 'one', secret: stateSecret }]]
const now = 1_700_000_000_000

const part = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? 'null').toString('base64url')
const hmac = (text: string): string => createHmac('sha256', stateSecret).update(text).digest('base64url')

const claims = fc.record({
  clientOrderId: fc.constantFrom('o-1', 'null', '', 'é', cardNumber),
  for: fc.constantFrom<unknown>(['sale', '10.00', 'EUR'], ['sale'], ['__proto__'], ['toString', 1], 'sale', {}),
  purpose: fc.constantFrom<unknown>(purpose, '3d-secure', null),
  aud: fc.constantFrom<unknown>('tillkit:customer-return', ['tillkit:customer-return'], 'other'),
  iat: fc.constantFrom<unknown>(now / 1000, now / 1000 + 10, -1, '1'),
  exp: fc.constantFrom<unknown>(now / 1000 + 60, now / 1000 - 60, 1e300, null),
})
const header = fc.record(
  {
    alg: fc.constantFrom<unknown>('HS256', 'none', 'RS256', 'HS512', null),
    kid: fc.constantFrom<unknown>('one', 'two', 1),
    crit: fc.constantFrom<unknown>(['exp'], [cardNumber], ['\n\u001b[2J'], ['b64'], [], 'x'),
    b64: fc.constantFrom<unknown>(true, false, 'x'),
    typ: fc.constantFrom<unknown>('JWT', 1),
  },
  { requiredKeys: ['alg', 'kid'] },
)

/** Tokens that are signed over any header and any claims. */
const written = fc
  .tuple(alteredJson(header, ['crit', 'zip', 'jwk']), alteredJson(claims, ['nbf', 'exp', 'crit']))
  .map(parts => parts.map(part).join('.'))
  .map(signed => Buffer.from(`${signed}.${hmac(signed)}`))

async function examine(input: Buffer): Promise<void> {
  const token = input.toString('latin1')
  const read = await readState({ token, purpose, secrets, now })
  if (read.kind === 'refused') {
    promiseQuiet(read.explanation)
    return
  }
  const [first = '', second = '', third = ''] = token.split('.')
  const isSigned = Buffer.from(third, 'base64url').equals(Buffer.from(hmac(`${first}.${second}`), 'base64url'))
  promise(isSigned, 'reads a state that was not signed', token)
  const { clientOrderId, expected } = read
  const anew = signState({ clientOrderId, ...(expected && { expected }), purpose, secrets, lifetime: 60, now })
  if (anew.length > 2048) return
  const again = await readState({ token: anew, purpose, secrets, now })
  promiseSame(again, { ...read, kind: 'fresh' }, 'reads another state than it wrote')
}

/** The token in the address of a customer who comes back. */
export const state: Parser = {
  name: 'state',
  written,
  tokens: ['.', '=', 'eyJ', 'e30', part({ alg: 'none' }), part({ alg: 'HS256', kid: 'one' }), '-', '_', '+', '/'],
  examine,
  growing: {
    'a long token': repeated('A'),
    'many parts': repeated('A.'),
    'just not too long': length => Buffer.from(`${part({ a: 'x'.repeat(Math.min(length, 1000)) })}.e30.AA`),
  },
}
