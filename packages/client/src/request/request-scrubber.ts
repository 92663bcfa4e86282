/**
 * The scrubber of one request: its keys, what was computed with them, and its card data are what it takes out of text.
 *
 * @module
 */
import { cardNumberFields } from '@tillkit/protocol'
import { parseAuthorizationHeader } from '@tillkit/signing'
import { type FieldText, redactField } from '../redaction/redact.js'
import { type Scrubber, type SecretsOf, scrubberWhenNeeded } from '../redaction/scrub.js'
import type { AuthenticateInput } from './authenticate.js'
import { textsShownAs } from './form.js'

/**
 * Makes the scrubber of a request.
 *
 * @param computed What was computed with a key: its control value, or its `Authorization` header.
 */
export const requestScrubber = (input: AuthenticateInput, computed: string): Scrubber =>
  scrubberWhenNeeded<Computed>({ input, computed }, secretsOf)

/** A request, and what was computed with a key. */
interface Computed {
  readonly input: AuthenticateInput
  readonly computed: string
}

const secretsOf: SecretsOf<Computed> = {
  long({ input: { plan, built, settings }, computed }) {
    const keys = [settings.controlKey ?? '', settings.alsoSecret ?? '']
    return {
      texts: plan.signing.scheme === 'control' ? [computed, ...keys] : [...inHeader(computed), ...keys],
      cardNumbers: textsShownAs(built.form, cardNumberFields),
    }
  },
  others({ input: { built } }) {
    const { form } = built
    const [expireMonths, expireYears] = [textsShownAs(form, ['expireMonth']), textsShownAs(form, ['expireYear'])]
    return {
      digits: [...textsShownAs(form, ['cvv2']), ...expireYears],
      expiry: { month: expireMonths[0] ?? '', year: expireYears[0] ?? '' },
      unshown: () => form.texts.filter((value, at) => isUnshown({ shownAs: form.shape.fields[at]?.shownAs, value })),
    }
  },
}

/** What of a header nobody is shown: itself, and the signature in whatever way it is written. */
function inHeader(authorization: string): readonly string[] {
  const signature = signatureOf(authorization)
  return [authorization, signature, encodeURIComponent(signature)]
}

/** The signature in an `Authorization` header; `''` where there is none. */
export const signatureOf = (authorization: string): string =>
  new Map(parseAuthorizationHeader(authorization)?.parameters).get('oauth_signature') ?? ''

/** Half of a surrogate pair has no encoded form; the mistake is reported where the body is encoded. */
const isUnshown = (field: FieldText): boolean =>
  !/\p{Surrogate}/u.test(field.value) && redactField(field, asItIs) !== field.value

const asItIs: Scrubber = { exact: text => text, prose: text => text, broken: text => text }
