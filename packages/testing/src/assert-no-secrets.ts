/**
 * Proof that a text holds no secret.
 *
 * @module
 */
import { inspect } from 'node:util'

/** Secrets by a name to call them by in a failure, or a list of them. */
export type Secrets = Readonly<Record<string, string>> | readonly string[]

/**
 * Throws when something that was logged, stored or thrown holds a secret: as it is, percent-encoded, in Base64 or in
 * hexadecimal. A card number is found with spaces or hyphens in it too.
 *
 * @param shown Text, or any value; of a value everything is searched that printing or serializing it would show.
 * @throws An error that names the secret by its name and never shows it.
 */
export function assertNoSecrets(shown: unknown, secrets: Secrets): void {
  const haystacks = textsOf(shown)
  const list = Array.isArray(secrets)
    ? secrets.map((secret, index) => [`secret ${index + 1}`, secret] as const)
    : Object.entries(secrets as Readonly<Record<string, string>>)
  for (const [name, secret] of list) {
    if (secret === '') throw new TypeError(`"${name}" is empty: an empty secret is in every text.`)
    const form = formsOf(secret).find(({ text }) => haystacks.some(haystack => haystack.includes(text)))
    if (form !== undefined)
      throw new Error(`"${name}" was found${form.how}. Look where this text comes from and leave it out.`)
  }
}

function textsOf(shown: unknown): readonly string[] {
  const texts =
    typeof shown === 'string'
      ? [shown]
      : [
          inspect(shown, {
            depth: Number.POSITIVE_INFINITY,
            showHidden: true,
            maxStringLength: null,
            maxArrayLength: null,
          }),
          serialized(shown),
        ]
  return texts.flatMap(text => [text, text.replace(/(?<=\d)[ -](?=\d)/g, '')])
}

/** Messages of errors are not serialized, and a value may refuse to be; printing has shown both. */
function serialized(shown: unknown): string {
  try {
    return (
      JSON.stringify(shown, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)) ?? ''
    )
  } catch {
    return ''
  }
}

function formsOf(secret: string): readonly { readonly text: string; readonly how: string }[] {
  const bytes = Buffer.from(secret, 'utf8')
  return [
    { text: secret, how: '' },
    { text: JSON.stringify(secret).slice(1, -1), how: ', escaped as in JSON' },
    { text: encodeURIComponent(secret), how: ', percent-encoded' },
    { text: bytes.toString('base64').replace(/=+$/, ''), how: ', in Base64' },
    { text: bytes.toString('hex'), how: ', in hexadecimal' },
  ]
}
