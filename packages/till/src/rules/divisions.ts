/**
 * Control items have no separator, so whoever has seen one callback can divide its text anew, and every division is verified.
 *
 * @module
 */
import { finalOutcome, isNoId, type WireProfile } from '@tillkit/protocol'

/** The items of a callback that its control value covers. */
export interface Signed {
  readonly status: string
  readonly orderId: string
  readonly clientOrderId: string
}

type Part = keyof Signed

/** Most characters of an id of which the profile says nothing. */
const longestId = 128

/** Says why a callback cannot be one of the gateway's, by the words and the lengths of the profile; completes "Its …". */
export function doubtAboutShape(signed: Signed, profile: WireProfile): string | undefined {
  if (!isPart('status', signed.status, profile))
    return 'status is no word that ends an order: "finalStatuses" of the profile lists those'
  const long = (['orderId', 'clientOrderId'] as const).find(part => !isPart(part, signed[part], profile))
  return long === undefined ? undefined : `${long} is longer than "maxLengths" of the profile allows`
}

/** Gives the other ways to divide the text of a callback, as far as words and lengths of the profile allow them. */
export function otherDivisions(signed: Signed, profile: WireProfile): readonly Signed[] {
  const parts = profile.callbackItems.value.map(item => (item === 'merchantOrderId' ? 'clientOrderId' : item)) as Part[]
  const all = divide(parts.map(part => signed[part]).join(''), parts, profile)
  return all.filter(each => parts.some(part => each[part] !== signed[part]))
}

function divide(text: string, [part, ...others]: readonly Part[], profile: WireProfile): readonly Signed[] {
  if (part === undefined) return text === '' ? [{ status: '', orderId: '', clientOrderId: '' }] : []
  const found: Signed[] = []
  for (let end = others.length === 0 ? text.length : 1; end <= text.length; end += 1) {
    const value = text.slice(0, end)
    if (!isPart(part, value, profile)) continue
    for (const rest of divide(text.slice(end), others, profile)) found.push({ ...rest, [part]: value })
  }
  return found
}

function isPart(part: Part, value: string, profile: WireProfile): boolean {
  if (part === 'status') return finalOutcome(value, profile) !== undefined
  const most = profile.maxLengths.value[part] ?? longestId
  // Half a surrogate pair is no text that anybody sends.
  return value.length <= most && !isNoId(value) && !/\p{Cs}/u.test(value)
}
