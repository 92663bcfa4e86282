import { type AnyOperation, defaultProfile, type WireProfile } from '@tillkit/protocol'
import { controlItems, InvalidInputError, toMinorUnits } from '@tillkit/signing'
import { type CurlRequest, explainControl } from '@tillkit/signing/explain'
import { readFields } from '@tillkit/testing/gateway'
import { type Explained, type Keys, maskFor, unclear } from './explained.js'

/** A control value and what it should cover. */
export interface ControlToExplain {
  readonly about: string
  readonly items: readonly string[]
  readonly values: Readonly<Record<string, string>>
  /** Of the other side, or the one that was sent. Absent where there is none. */
  readonly expected: string | undefined
}

/** Explains a control value. */
export function explainControlValue({ about, items, values, expected }: ControlToExplain, keys: Keys): Explained {
  const { controlKey = '' } = keys
  if (controlKey === '') return unclear('The control key is missing: a control value says nothing without it.')
  const mask = maskFor(keys)
  const explained = explainControl({ items, values, controlKey, ...(expected === undefined ? {} : { expected }) })
  const { matches, explanation } = explained
  const lines = explained.lines.map(({ ours, theirs, ...line }) => ({
    ...line,
    ...(ours === undefined ? {} : { ours: mask.item(line.name, ours) }),
    ...(theirs === undefined ? {} : { theirs: mask.item(line.name, theirs) }),
  }))
  const covered = explained.items.map(({ name, value }) => mask.item(name, value)).join('')
  const unknown =
    'No single common mistake makes this control value. The key may be another one, or several items differ: compare each line with yours.'
  const right = matches ? 'The control value is right.' : 'There is no control value: this is what it has to cover.'
  return {
    kind: 'explained',
    about,
    verdict: matches === undefined ? 'unjudged' : matches && explanation === undefined ? 'right' : 'wrong',
    says: explanation === undefined ? (matches === false ? unknown : right) : mask.text(sentence(explanation.text)),
    ...(explanation === undefined ? {} : { fix: explanation.fix }),
    lines,
    covered: `${covered}<control key>`,
  }
}

/** Ends a text with one full stop. */
export const sentence = (text: string): string => `${text.replace(/\.$/, '')}.`

/** Explains a control value of which the items are told apart from it. */
export function explainControlAlone(
  expected: string,
  { operation = '', items: given }: { readonly operation?: string; readonly items: Readonly<Record<string, string>> },
  keys: Keys,
): Explained {
  const rows: Readonly<Record<string, readonly string[]>> = controlItems
  if (operation === '')
    return unclear('A control value says nothing by itself: choose its operation, and give what it covers.')
  if (!Object.hasOwn(rows, operation))
    return unclear(`No operation has the name "${operation}". There are: ${Object.keys(rows).join(', ')}.`)
  const items = rows[operation] ?? []
  const values = Object.fromEntries(
    items.map(item => [item, given[item] ?? (item === 'login' ? (keys.login ?? '') : '')]),
  )
  return explainControlValue({ about: `The control value of ${operation}`, items, values, expected }, keys)
}

/** The request of an operation that is signed with a control value. */
interface SentRequest {
  readonly operation: string
  readonly row: AnyOperation
  readonly endpointId: string
  readonly items: readonly string[]
}

/** Explains the control value of a request. */
export function explainControlOf({ parameters }: CurlRequest, sent: SentRequest, keys: Keys): Explained {
  const { operation, row, endpointId, items } = sent
  const { profile = defaultProfile } = keys
  const field = profile.controlField.value
  const fields = readFields(parameters, { row, profile })
  const { login = keys.login } = fields
  if (items.includes('login') && login === undefined)
    return unclear(
      `The login is missing: the control value of ${operation} covers it, and the request does not say it.`,
    )
  const expected = parameters.find(([name]) => name === field)?.[1].trim()
  const mask = maskFor(keys)
  try {
    const values = Object.fromEntries(
      items.map(item => [item, itemValue(item, { ...fields, endpointId, login }, profile)]),
    )
    return explainControlValue({ about: `The control value of ${operation}`, items, values, expected }, keys)
  } catch (error) {
    if (error instanceof InvalidInputError) return unclear(mask.text(error.message))
    throw error
  }
}

function itemValue(item: string, fields: Readonly<Record<string, string | undefined>>, profile: WireProfile): string {
  const { amount, currency } = fields
  if (item === 'clientOrderId') return fields.clientOrderId ?? profile.absentClientOrderId.value
  if (item !== 'amount' || amount === undefined) return fields[item] ?? ''
  return toMinorUnits(amount, currency ?? '', profile.minorUnits.value, profile.currencyDigits.value)
}
