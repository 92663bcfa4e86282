import { lastFour } from '../redaction/scrub.js'
import type { PayoutDestination } from './records/payouts.js'

/** The end of a number; of a short one, such as an account of eight digits, the last two characters. */
const endOf = (number: string): string =>
  number.length > 8 ? lastFour(number) : `${lastFour(number)}${number.length > 4 ? number.slice(-2) : ''}`

/** Both ends of an account number: an IBAN begins with its country and its check digits. */
const bothEnds = (account: string): string => `${account.length > 12 ? account.slice(0, 4) : ''}${endOf(account)}`

/** People write one account with spaces or without, and in small letters or capitals. */
const asOne = (written: string): string => written.replace(/[\s-]/g, '').toUpperCase()

const recipients = {
  accountNumber: account => `account ${bothEnds(account)}`,
  creditCardNumber: card => `card ${endOf(card)}`,
  phone: phone => `phone ${endOf(phone)}`,
} as const satisfies { readonly [Field in keyof PayoutDestination]?: (value: string) => string }

/** Fields that name who gets the money of a payout, the one that decides first. @see Interface specification, section 2 */
export const recipientFields = Object.keys(recipients)

/**
 * The recipient of a payout as it may be kept and shown, such as `account NL91***4300`.
 *
 * @returns undefined where the fields name none.
 */
export function recipientOf(fields: Partial<Record<keyof PayoutDestination, unknown>>): string | undefined {
  for (const [field, shown] of Object.entries(recipients)) {
    const value: unknown = Reflect.get(fields, field)
    if (typeof value === 'string' && value !== '') return shown(asOne(value))
  }
  return undefined
}
