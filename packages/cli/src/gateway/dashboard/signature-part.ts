/**
 * A signature taken apart.
 *
 * @module
 */

import { type Html, html } from '@tillkit/testing/gateway'
import type { SignatureView } from '../inspection/call-signature.js'
import { writeNamed } from './table.js'

const schemes: Readonly<Record<SignatureView['scheme'], string>> = {
  control: 'Control value: SHA-1 over these items, joined without a separator, the control key last (section 5.1).',
  'oauth-hmac-sha1': 'OAuth 1.0a with HMAC-SHA1: keyed with the control key, over this base string (section 5.2).',
  'oauth-rsa-sha256':
    "OAuth 1.0a with RSA-SHA256: signed with the merchant's private key, over this base string (section 5.3).",
}

/** Writes a signature. */
export function signaturePart({ scheme, covered, text }: SignatureView): Html {
  const pairs = covered.map(({ name, value }) => [name, value] as const)
  return html`<p>${schemes[scheme]}</p>
${writeNamed(pairs, 'What the signature covers')}
<h3>${scheme === 'control' ? 'What is digested' : 'Signature base string'}</h3>
<pre>${text ?? 'An item cannot be read, so there is nothing to digest.'}</pre>`
}
