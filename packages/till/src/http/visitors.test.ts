import { defaultProfile, defineProfile } from '@tillkit/protocol'
import { expect, it } from 'vitest'
import type { AccountsThen } from '../payment/accounts.js'
import { checkVisits } from './visitors.js'

const secret = 'the first secret, 32 bytes long.'
const accounts = (own: object = {}) =>
  ({ all: [{ profile: defaultProfile, ...own }], keys: ['K-1'] }) as unknown as AccountsThen

it('customers are received with a state secret of its own', () => {
  expect(() => checkVisits(accounts(), [{ id: 'one', secret }])).not.toThrow()
})

it.each([
  ['no secret', [], 'must be a list of { id, secret }'],
  ['a short secret', [{ id: 'one', secret: 'short' }], 'is shorter than 32 bytes'],
  [
    'two secrets of one id',
    [
      { id: 'one', secret },
      { id: 'one', secret },
    ],
    'needs an "id" of its own',
  ],
])('a till with %s is not made', (_which, secrets, message) => {
  expect(() => checkVisits(accounts(), secrets)).toThrow(new RegExp(`^createTill: "stateSecrets".*${message}`))
})

it('a till with a control key as its state secret is not made', () => {
  const { all } = accounts()
  expect(() => checkVisits({ all, keys: [secret] }, [{ id: 'one', secret }])).toThrow(
    'createTill: "stateSecrets" holds a control key. Make a secret of its own.',
  )
})

it('a till is not made with a profile under which no browser return would ever verify', () => {
  const profile = defineProfile({ browserReturnItems: ['status', 'email'] })
  expect(() => checkVisits(accounts({ profile }), [{ id: 'one', secret }])).toThrow('"browserReturnItems"')
})
