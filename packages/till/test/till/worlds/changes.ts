/**
 * A merchant's acts on payments in a world besides asking for them: captures, returns, voids, payouts.
 *
 * @module
 */
import type { Chance } from '../../../../client/test/worlds/chance.js'
import type { Till } from '../../../src/index.js'
import type { Books } from './books.js'

interface Doing {
  readonly till: Till
  readonly chance: Chance
  readonly books: Books
}

/** Amounts by the key of a part: no other change of a sale is over any of them. */
const parts = [
  { key: 'parcel-1', amount: '1.00' },
  { key: 'parcel-2', amount: '2.00' },
  { key: 'parcel-3', amount: '3.00' },
] as const

/** Amounts of parts, each of which may be given back once. */
export const partAmounts: readonly string[] = parts.map(({ amount }) => amount)

/** Why a change need not be possible. */
const expected =
  /^ERR_(NOT_POSSIBLE|OTHER_AMOUNT|CHANGE_OPEN|NEEDS_PERSON|ALREADY_SENT|OPEN_CHANGE|TRANSPORT|REQUEST_REFUSED|NOT_SENT|STORE_)/

/** Asks for a change, several times now and then. */
export async function changeSomething(reference: string, { till, chance, books }: Doing): Promise<void> {
  const name = chance.pick(['capture', 'return', 'return', 'void'] as const)
  const part = name === 'void' || chance.of(0.5) ? undefined : chance.pick(parts)
  const once = () => (name === 'void' ? till.void(reference) : till[name](reference, part))
  const calls = Array.from({ length: chance.pick([1, 1, 2]) }, () => once().catch((error: unknown) => error))
  for (const came of await Promise.all(calls)) {
    if (came instanceof Error && !expected.test(String(Reflect.get(came, 'code'))))
      books.seen.push(`${name} of ${reference} failed: ${String(came)}`)
  }
}

/** Asks for a payout, several times now and then. */
export async function payOut(
  { reference, checked }: { readonly reference: string; readonly checked: boolean },
  { till, chance, books }: Doing,
): Promise<void> {
  const once = () =>
    till.payout({ reference, amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300', checked })
  const calls = Array.from({ length: chance.pick([1, 1, 2]) }, () => once().catch((error: unknown) => error))
  for (const came of await Promise.all(calls)) {
    if (
      came instanceof Error &&
      !/^ERR_(NEEDS_PERSON|TOO_MANY_ORDERS|TRANSPORT|REQUEST_REFUSED|NOT_SENT|STORE_UNREADABLE|STORE_UNKNOWN)/.test(
        String(Reflect.get(came, 'code')),
      )
    )
      books.seen.push(`payout of ${reference} failed: ${String(came)}`)
  }
}
