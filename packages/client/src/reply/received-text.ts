import { hidden, redactPairs, type Scrubber, type WireProfile } from '@tillkit/protocol'
import type { RawAnswer } from '../transport/types.js'

/** How much of an answer is looked at, in bytes. */
const mostBytes = 4096

/** How much of it is shown, in characters. */
const mostCharacters = 1000

type Pairs = readonly (readonly [name: string, value: string])[]

/**
 * The beginning of an answer, redacted. Of what looks like JSON or a form only whole fields are shown, by the allowlist
 * for replies and with repetitions; of other text what is left without secrets, addresses and long numbers.
 *
 * @param isCut Whether the answer broke off, so that a secret at its end may be cut and not be recognized.
 * @returns At most 1000 characters; undefined where nothing came, or nothing that is text.
 */
export function receivedText(
  { body, headers }: Pick<RawAnswer, 'body' | 'headers'>,
  isCut: boolean,
  profile: WireProfile,
  scrubber: Scrubber,
): string | undefined {
  if (headers['content-encoding'] !== undefined || body.includes(0)) return undefined
  const text = new TextDecoder().decode(body.subarray(0, mostBytes)).trim()
  const ends = isCut || body.length > mostBytes
  const pairs = pairsOf(text, ends)
  const shown =
    pairs === undefined
      ? redactProse(text, ends, scrubber)
      : redactPairs(pairs, { replyFields: profile.replyFields.value, scrubber })
          .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
          .join(', ')
  return shown === '' ? undefined : shown.slice(0, mostCharacters)
}

/** The whole fields of JSON, even of one that breaks off, or of a form; undefined for other text. */
function pairsOf(text: string, isCut: boolean): Pairs | undefined {
  if (text.startsWith('{')) {
    const fields = text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|([\w.+-]+)(?=\s*[,}]))/gs)
    return [...fields].map(([, name = '', quoted, bare = '']) => [unquote(name), unquote(quoted ?? bare)])
  }
  if (!/^[\w.-]+=/.test(text)) return undefined
  const fields = text.split('&').map(field => field.split(/=(.*)/s))
  return (isCut ? fields.slice(0, -1) : fields).map(([name = '', value = '']) => [decode(name), decode(value)])
}

const unquote = (text: string): string => orHidden(() => String(JSON.parse(`"${text}"`)))

const decode = (text: string): string => orHidden(() => decodeURIComponent(text.replaceAll('+', ' ')).trim())

/** What cannot be read may hold anything. */
function orHidden(read: () => string): string {
  try {
    return read()
  } catch {
    return hidden
  }
}

function redactProse(text: string, isCut: boolean, scrubber: Scrubber): string {
  return (isCut ? scrubber.broken(text) : scrubber.prose(text))
    .replace(/[^\s"'<>=&;:]+(?:@|%40)[^\s"'<>&;,]+/g, hidden)
    .replace(/\d(?:(?:[ +-]|%20)?\d){11,}/g, hidden)
}
