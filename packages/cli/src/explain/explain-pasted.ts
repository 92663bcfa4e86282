import {
  type AnyOperation,
  defaultProfile,
  maskCardNumbers,
  resolveSigning,
  operations as usual,
} from '@tillkit/protocol'
import { InvalidInputError, InvalidKeyError } from '@tillkit/signing'
import { isBaseString, isCurl, readCurl } from '@tillkit/signing/explain'
import { explainControlAlone, explainControlOf } from './explain-control.js'
import { explainOAuthOf, explainPastedBaseString } from './explain-oauth.js'
import { type Explained, type Keys, unclear } from './explained.js'

/** What a person pastes, and what they know besides. */
export interface Pasted {
  /** A curl command, a base string or a control value. */
  readonly text: string
  /** The base string or the signature of the other side. */
  readonly theirs?: string | undefined
  /** Name of the operation that a control value alone belongs to. */
  readonly operation?: string | undefined
  /** What it covers, by item. */
  readonly items?: Readonly<Record<string, string>>
  /** The operations there are. Default: those of the specification. */
  readonly operations?: Readonly<Record<string, AnyOperation>>
  /** What it is judged with. @param endpointId Of the address, where there is one. */
  readonly keysOf: (endpointId: string | undefined) => Keys
}

/** Most characters that are read. */
const longestText = 20_000

/** Explains what a person pasted: nothing is sent, run or kept. */
export function explainPasted({
  text: pasted,
  theirs = '',
  operation,
  items = {},
  operations = usual,
  keysOf,
}: Pasted): Explained {
  const text = pasted.trim()
  if (text === '')
    return unclear('There is nothing to explain: paste a curl command, a base string or a control value.')
  if (text.length > longestText) return unclear(`This is longer than ${longestText} characters.`)
  try {
    if (isCurl(text)) return explainCurl(text, { theirs: theirs.trim(), operations, keysOf })
    if (isBaseString(text)) {
      const [, address = ''] = text.split('&')
      return explainPastedBaseString(text, theirs.trim(), keysOf(/%2F(\d+)$/i.exec(address)?.[1]))
    }
    if (/^[\w+/=-]{16,256}$/.test(text)) {
      return explainControlAlone(text, { ...(operation ? { operation } : {}), items }, keysOf(items.endpointId))
    }
  } catch (error) {
    if (error instanceof InvalidKeyError) return unclear(error.message)
    if (error instanceof InvalidInputError) return unclear(maskCardNumbers(error.message))
    throw error
  }
  return unclear(
    'This is no curl command, no base string (POST&https%3A%2F%2F…) and no control value (40 hexadecimal digits).',
  )
}

function explainCurl(
  text: string,
  { theirs, operations, keysOf }: Required<Pick<Pasted, 'operations' | 'keysOf'>> & { readonly theirs: string },
): Explained {
  const read = readCurl(text)
  if (read.kind === 'unreadable') return unclear(read.text)
  const { request } = read
  const [, path = '', endpointId = ''] = /^(.*?)(?:\/group)?\/([^/]+)$/.exec(request.url.pathname) ?? []
  const [operation, row] = Object.entries(operations).findLast(([, each]) => path.endsWith(each.path)) ?? []
  const keys = keysOf(endpointId === '' ? undefined : endpointId)
  if (operation === undefined || row === undefined) return explainOAuthOf(request, { theirs }, keys)
  const signing = resolveSigning(row, keys.profile ?? defaultProfile)
  if (signing.scheme !== 'control') return explainOAuthOf(request, { operation, theirs }, keys)
  return explainControlOf(request, { operation, row, endpointId, items: signing.items }, keys)
}
