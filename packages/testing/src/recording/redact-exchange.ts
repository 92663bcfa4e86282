/**
 * What of a run may be written to a file: what the call log shows, without what tells who the customer is.
 *
 * @module
 */
import type { Parameter } from '@tillkit/signing'
import { type Redaction, redactText, redactValue } from '../log/redact.js'
import type { FlatValue } from './flat-object.js'

/** Shown in place of a value that is not kept. */
export const hidden = '<hidden>'

/** Names of fields that tell who somebody is or where their money lies. A recording ends up in a repository. */
const personalName =
  /name|e-?mail|phone|address|city|zip|^state$|country|birthday|ssn|ip(address)?$|browser|account|iban|bank_|routing|holder/i

/** Redacts a field of a request or a reply. */
export const redactRecorded = ([name, value]: Parameter, redaction: Redaction): Parameter => [
  redactText(name, redaction),
  personalName.test(name) && value !== '' ? hidden : redactValue([name, value], redaction),
]

/** Redacts a member of a reply. One that is no text stays as it was written, unless it is hidden. */
export function redactMember(
  [name, value]: readonly [string, FlatValue],
  redaction: Redaction,
): readonly [string, FlatValue] {
  const text = typeof value === 'string' ? value : value.json
  const [shownName, shown] = redactRecorded([name, text], redaction)
  return [shownName, shown === text ? value : shown]
}

/** Whether a value of a recording stands for one that was not kept. */
export const isHidden = (value: string): boolean => /^<(hidden|control value|\d+ characters)>$/.test(value)
