import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../test/soak.js'
import { defaultProfile, defineProfile } from './profile.js'

describe('defaultProfile', () => {
  it('gives a source for every entry', () => {
    for (const [name, entry] of Object.entries(defaultProfile)) {
      expect(entry.source.length, name).toBeGreaterThan(10)
    }
  })

  it('cannot be changed by accident', () => {
    expect(Object.isFrozen(defaultProfile)).toBe(true)
    expect(Object.values(defaultProfile).every(entry => Object.isFrozen(entry))).toBe(true)
  })
})

describe('what the specification does not say in so many words', () => {
  // Section 3, rule 1, is silent about the rest after a partial capture (adr/0038).
  it.each(['captureEndsHold', 'saleIsSettled'] as const)('is marked as assumed: %s', entry => {
    expect(defaultProfile[entry].assumed).toBe(true)
  })
})

describe('defineProfile', () => {
  it('overrides an entry, which is then no assumption any more', () => {
    const profile = defineProfile({ minorUnits: 'hundredths' }, 'acquirer, letter of 3 March')
    expect(profile.minorUnits).toEqual({ value: 'hundredths', source: 'acquirer, letter of 3 March', assumed: false })
    expect(profile.controlField).toBe(defaultProfile.controlField)
  })

  it('refuses a value that an entry cannot have', () => {
    const misspelt: object = { minorUnits: 'cents' }
    expect(() => defineProfile(misspelt)).toThrow('"minorUnits" of the wire profile is "cents"')
  })

  it.each([
    [{ usdt: 6 }, 'has the code "usdt"; write it as it is sent'],
    [{ '': 2 }, 'has the code ""'],
    [{ '\u009b2J 4444555566661111': 2 }, 'has the code "\\u009b2J 444455******1111"'],
    [{ USDT: 1.5 }, 'gives USDT 1.5 digits; it must be a whole number from 0 to 14'],
    [{ USDT: -1 }, 'gives USDT -1 digits'],
    [{ USDT: 15 }, 'gives USDT 15 digits'],
  ])('refuses the currencies %j', (currencyDigits, problem) => {
    expect(() => defineProfile({ currencyDigits })).toThrow(problem)
  })

  it.each([0, -1, 0.5, Number.NaN])('refuses an OAuth window of %d seconds', oauthWindow => {
    expect(() => defineProfile({ oauthWindow })).toThrow('it must be a whole number above zero')
  })

  it.each<[object, string]>([
    [
      { formRetries: 'false' },
      '"formRetries" of the wire profile is "false"; it must be true or false, without quotes.',
    ],
    [{ saleIsSettled: 0 }, '"saleIsSettled" of the wire profile is 0; it must be true or false'],
    [{ formLifetime: '1800' }, '"formLifetime" of the wire profile is "1800"; it must be a whole number above zero.'],
    [{ controlField: 5 }, '"controlField" of the wire profile is 5; it must be a text that is not empty.'],
    [{ controlField: '' }, '"controlField" of the wire profile is ""; it must be a text that is not empty.'],
    [{ noErrorMessage: null }, '"noErrorMessage" of the wire profile is null; it must be a text, or "" for none.'],
    [{ orderNeverSeen: 4711 }, '"orderNeverSeen" of the wire profile is 4711; it must be a text'],
    [{ formRetries: undefined }, '"formRetries" of the wire profile is undefined'],
    [
      { loginInBody: 'CAPTURE' },
      '"loginInBody" of the wire profile is "CAPTURE"; it must be a list, such as ["CAPTURE","RETURN"].',
    ],
    [{ loginInBody: ['CAPTURE', 5] }, '"loginInBody[1]" of the wire profile is 5; it must be a text'],
    [
      { callbackPorts: [] },
      '"callbackPorts" of the wire profile is an empty list; it must be a list, such as [80,443].',
    ],
    [{ callbackPorts: [80, '443'] }, '"callbackPorts[1]" of the wire profile is "443"; it must be a whole number'],
    [
      { callbackItems: ['status', 'orderid'] },
      '"callbackItems[1]" of the wire profile is "orderid"; it must be endpointId or',
    ],
    [{ cardInfoFields: ['pan'] }, '"cardInfoFields[0]" of the wire profile is "pan"; it must be bin or'],
    [
      { groupPath: 'group' },
      '"groupPath" of the wire profile is "group"; it must be an object, such as {"segment":"group"}.',
    ],
    [
      { groupPath: { segment: 'group' } },
      '"groupPath.without" of the wire profile is missing: what you give as "groupPath" replaces',
    ],
    [
      { groupPath: { segment: 'group', with: [], without: [] } },
      'The wire profile has no "groupPath.with". There are: segment, without.',
    ],
    [
      { threeDSecureSteps: { method: 'm', chalenge: 'c', pares: 'p' } },
      '"threeDSecureSteps.challenge" of the wire profile is missing',
    ],
    [
      { threeDSecureSteps: { method: 'm', challenge: 'c', pares: 'p', pare: '' } },
      'has no "threeDSecureSteps.pare". Did you mean "pares"?',
    ],
    [{ replyFields: { redirectUrl: ['form-url'] } }, '"replyFields.type" of the wire profile is missing'],
    [
      { finalStatuses: { paid: 'aproved' } },
      '"finalStatuses.paid" of the wire profile is "aproved"; it must be approved or declined',
    ],
    [{ stages: { purchase: 'buy' } }, '"stages.purchase" of the wire profile is "buy"; it must be sale or'],
    [
      { fieldNames: { SALE: { email: ['mail'] } } },
      '"fieldNames.SALE.email" of the wire profile is a list; it must be a text',
    ],
    [{ fieldNames: { email: 'mail' } }, '"fieldNames.email" of the wire profile is "mail"; it must be an object'],
    [
      { maxLengths: { redirectUrl: '128' } },
      '"maxLengths.redirectUrl" of the wire profile is "128"; it must be a whole number',
    ],
    [{ getCardInfo: { scheme: 'sha1' } }, '"getCardInfo.scheme" of the wire profile is "sha1"; it must be control or'],
    [{ getCardInfo: { scheme: 'control' } }, '"getCardInfo.items" of the wire profile is missing'],
    [
      { payoutPay: { scheme: 'control', items: ['login', 'pan'] } },
      '"payoutPay.items[1]" of the wire profile is "pan"',
    ],
    [{ payoutPay: { scheme: 'oauth-hmac-sha1', items: [] } }, 'The wire profile has no "payoutPay.items"'],
    [{ pollSchedule: {} }, '"pollSchedule" must list one phase or more'],
    [{ pollSchedule: [{ atLeast: '1', atMost: 2 }] }, '"pollSchedule[0]" needs "atLeast" and "atMost"'],
    [{ pollSchedule: [{ atLeast: 1, atMost: 2, times: 1, last: 1 }] }, '"pollSchedule[0]" has no "last"'],
    [
      { currencyDigits: [] },
      '"currencyDigits" of the wire profile is an empty list; it must be an object, such as { "USDT": 6 }.',
    ],
    [{ currencyDigits: { USDT: '6' } }, 'gives USDT "6" digits'],
  ])('refuses %j', (wrong, problem) => {
    expect(() => defineProfile(wrong)).toThrow(problem)
  })

  it.each<object>([
    { absentClientOrderId: '', noErrorMessage: '', loginInBody: [], groupPath: { segment: 'group', without: [] } },
    {
      payoutPay: { scheme: 'control', items: ['login', 'clientOrderId'] },
      getCardInfo: { scheme: 'oauth-rsa-sha256' },
    },
    { maxLengths: {}, fieldNames: {}, stages: { purchase: 'unrecognized' }, orderNeverSeen: undefined },
  ])('takes %j', right => {
    expect(Object.entries(defineProfile(right))).toEqual(
      expect.arrayContaining(
        Object.entries(right).map(([entry, value]) => [entry, expect.objectContaining({ value })]),
      ),
    )
  })

  const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)
  const json = fc.jsonValue({ maxDepth: 2 })
  /** Every place in the defaults: entries, what is inside of them, and so on. */
  const places = Object.entries(defaultProfile).flatMap(([entry, { value }]) => placesIn(value, [entry]))

  it('takes every default from JSON', () => {
    const values = Object.entries(defaultProfile).map(([entry, { value }]) => [entry, value])
    const read: object = JSON.parse(JSON.stringify(Object.fromEntries(values)))
    expect(Object.values(defineProfile(read)).map(({ value }) => value)).toEqual(values.map(([, value]) => value))
  })

  it('takes no value of another type, in any place of any entry', () => {
    for (const { place, like } of places) {
      const otherType = json.filter(given => kindOf(given) !== kindOf(like ?? ''))
      fc.assert(
        fc.property(otherType, given => {
          expect(() => defineProfile(changed(place, given))).toThrow(`"${place[0]}`)
        }),
        cases({ daily: 4, soak: 100 }),
      )
    }
  })

  it('refuses an entry that does not exist', () => {
    const misspelt: object = { minorUnit: 'hundredths' }
    expect(() => defineProfile(misspelt)).toThrow(/no entry "minorUnit"/)
    expect(() => defineProfile({ '\u2028': 1 } as object)).toThrow('no entry "\\u2028"')
  })
})

/** An entry, and the names that lead to a place inside of it. */
type Where = readonly string[]

function placesIn(value: unknown, place: Where): readonly { readonly place: Where; readonly like: unknown }[] {
  const here = { place, like: value }
  if (typeof value !== 'object' || value === null) return [here]
  const inside = Object.entries(value).slice(0, 3)
  return [here, ...inside.flatMap(([name, each]) => placesIn(each, [...place, name]))]
}

/** The default of an entry with another value at one place. */
function changed([entry = '', ...inside]: Where, given: unknown): object {
  if (inside.length === 0) return { [entry]: given }
  const value: object = JSON.parse(JSON.stringify(Reflect.get(defaultProfile, entry).value))
  const last = inside.pop() ?? ''
  const parent: object = inside.reduce<object>((at, name) => Reflect.get(at, name), value)
  Reflect.set(parent, last, given)
  return { [entry]: value }
}
