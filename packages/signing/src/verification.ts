/** What the verification of a control value and of a signature share: refusals, and keys with labels. */
import { InvalidKeyError } from './errors.js'

/** A refusal, its reason for programs and its explanation for people. */
export interface Refused<Reason extends string> {
  readonly kind: 'refused'
  readonly reason: Reason
  readonly explanation: string
}

/** Makes a refusal. */
export const refuse = <const Reason extends string>(reason: Reason, explanation: string): Refused<Reason> => ({
  kind: 'refused',
  reason,
  explanation,
})

/** A merchant control key, with a label to name it by in results. */
export type ControlKey = string | { readonly label?: string | undefined; readonly key: string }

/** One control key, or several during rotation. A key without a label is `key 1`, `key 2`, … by its place. */
export type ControlKeys = string | readonly ControlKey[]

/**
 * Lists control keys with their labels.
 *
 * @throws {@link InvalidKeyError} when no key is given, or one is empty or not text: anyone can compute a value made with an
 * empty key.
 */
export function labelControlKeys(keys: ControlKeys): { readonly label: string; readonly key: string }[] {
  const list: readonly ControlKey[] = typeof keys === 'string' ? [keys] : (keys ?? [])
  if (list.length === 0) throw new InvalidKeyError('No control key was given. Pass the merchant control key.')
  return list.map((entry, index) => {
    const key = typeof entry === 'string' ? entry : entry?.key
    const label = labelOf(entry, index)
    if (typeof key !== 'string' || key === '') {
      throw new InvalidKeyError(`Control key "${label}" is empty. Check the setting it is read from.`)
    }
    return { label, key }
  })
}

/** The label of a key, or its place: `key 1`, `key 2`, … */
export function labelOf(entry: string | { readonly label?: unknown } | null | undefined, index: number): string {
  const label = typeof entry === 'string' ? undefined : entry?.label
  return typeof label === 'string' ? label : `key ${index + 1}`
}
