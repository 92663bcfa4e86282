/**
 * The scrubber of one request: its keys, what was computed with them, and its card data are what it takes out of text.
 *
 * @module
 */
import { cardNumberFields, createScrubber, type FieldText, redactField, type Scrubber } from '@tillkit/protocol'
import { parseAuthorizationHeader } from '@tillkit/signing'
import type { AuthenticateInput } from './authenticate.js'
import { textsShownAs } from './form.js'

/**
 * Makes the scrubber of a request.
 *
 * @param computed What was computed with a key: its control value, or its `Authorization` header.
 */
export function requestScrubber({ plan, built: { form }, settings }: AuthenticateInput, computed: string): Scrubber {
  return createScrubber(() => {
    const expireYears = textsShownAs(form, ['expireYear'])
    return {
      texts: [
        ...(plan.signing.scheme === 'control' ? [computed] : inHeader(computed)),
        settings.controlKey ?? '',
        settings.alsoSecret ?? '',
      ],
      cardNumbers: textsShownAs(form, cardNumberFields),
      digits: [...textsShownAs(form, ['cvv2']), ...expireYears],
      expiry: { month: textsShownAs(form, ['expireMonth'])[0] ?? '', year: expireYears[0] ?? '' },
      unshown: () => form.texts.filter((value, at) => isUnshown({ shownAs: form.shape.fields[at]?.shownAs, value })),
    }
  })
}

/** What of a header is never shown: the whole of it, and its signature, decoded or encoded. */
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
