/**
 * Control strings over other items than the operation's: of another operation, or of fields that the request lacks.
 *
 * @module
 */
import { controlItems, currencyCodes } from '../../index.js'
import { wholeAmounts } from './amount-mistakes.js'
import type { ControlCandidate, ControlMade } from './control-mistakes.js'

/** How many candidates of an item are tried together with those of the others. */
const mostTogether = 8

/** Where the amount is not known, whole ones below this many major units are tried with these currencies. */
const mostGuessed = 1000
const guessedCurrencies = ['EUR', 'USD', 'RUB']

/**
 * Lists control strings that cover an amount and a currency though the request has neither, or neither though the request
 * has both.
 *
 * @see Interface specification, section 5.1, capture and return
 */
export function* togetherCandidates(made: ControlMade): Generator<ControlCandidate> {
  const values = new Map(made.items.map(({ name, value }) => [name, value]))
  const amount = values.get('amount')
  const currency = values.get('currency')
  const join = (other: Readonly<Record<string, string>>): string =>
    made.items.map(({ name, value }) => other[name] ?? value).join('') + made.controlKey
  if (amount && currency) {
    yield {
      controlString: join({ amount: '', currency: '' }),
      item: 'amount',
      text: 'amount, currency: the value was made without them, and the request has both; what is sent is covered',
    }
  }
  if (amount !== '' || currency !== '') return
  for (const [amount, currency] of amountsOf(made)) {
    yield {
      controlString: join({ amount, currency }),
      item: 'amount',
      text: () =>
        `amount, currency: the value was made over ${JSON.stringify(amount)} and ${JSON.stringify(currency)}, and the ` +
        'request has neither; send both, or leave both out of the value',
    }
  }
}

function* amountsOf({ candidates }: ControlMade): Generator<readonly [amount: string, currency: string]> {
  const { amount: amounts = [], currency: currencies = [] } = candidates
  for (const amount of amounts.slice(0, mostTogether)) {
    for (const currency of [...currencies, ...currencyCodes]) yield [amount, currency]
  }
  const likely = currencies.length > 0 ? currencies.slice(0, guessedCurrencies.length) : guessedCurrencies
  for (const amount of wholeAmounts(mostGuessed)) {
    for (const currency of likely) yield [amount, currency]
  }
}

/**
 * Lists control strings over the items of another operation. An item that the request does not have is taken from the
 * candidates, or is empty.
 */
export function* operationCandidates({ items, controlKey, candidates }: ControlMade): Generator<ControlCandidate> {
  const values = new Map(items.map(({ name, value }) => [name, value]))
  const valuesOf = (name: string): readonly string[] => {
    const value = values.get(name)
    if (value) return [value]
    const known = Object.hasOwn(candidates, name) ? candidates[name] : undefined
    return [...new Set([...(known ?? []).slice(0, mostTogether), ''])]
  }
  const right = items.map(({ name }) => name).join(', ')
  for (const [formula, operations] of formulas()) {
    if (formula === right) continue
    const text = `the value was made over the items of ${operations.join(', ')}: ${formula}; this operation has ${right}`
    for (const joined of joinedValues(formula.split(', ').map(valuesOf))) {
      yield { controlString: joined + controlKey, text }
    }
  }
}

/** Which operations have the same items. */
function formulas(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [operation, items] of Object.entries(controlItems)) {
    const formula = items.join(', ')
    found.set(formula, [...(found.get(formula) ?? []), operation])
  }
  return found
}

function* joinedValues([first, ...rest]: readonly (readonly string[])[]): Generator<string> {
  if (first === undefined) {
    yield ''
    return
  }
  for (const value of first) {
    for (const joined of joinedValues(rest)) yield value + joined
  }
}
