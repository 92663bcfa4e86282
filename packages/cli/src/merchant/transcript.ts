import type { Exchange } from '@tillkit/client'
import type { Paint } from '../command-line/wrap.js'
import { printable, wrap, wrapBaseString } from '../command-line/wrap.js'
import { colourOf, type Meaning } from './meaning.js'

/** Writes what was signed, sent and answered, and what it means. It holds no secret: the client has taken them out. */
export function describeExchange(
  exchange: Exchange | undefined,
  meaning: Meaning,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const parts = exchange === undefined ? [] : [signed(exchange, columns), sent(exchange), answered(exchange)]
  const means = [`${paint(colourOf(meaning), meaning.kind)}: ${printable(meaning.text)}`]
  const all: readonly Part[] = [
    ...parts,
    ['Means', means],
    ...(meaning.next.length === 0 ? [] : [['Next', meaning.next.map(printable)] as const]),
  ]
  return `${all.map(([title, lines]) => section(title, lines, { paint, columns })).join('\n\n')}\n`
}

type Part = readonly [title: string, lines: readonly string[]]

const schemes = {
  control: 'a control value: SHA-1 over these items, then the control key',
  'oauth-hmac-sha1': 'HMAC-SHA1, with the control key, over this base string',
  'oauth-rsa-sha256': 'RSA-SHA256, with the private key, over this base string',
} as const

function signed({ signed: { scheme, items = [], baseString = '', fingerprint } }: Exchange, columns: number): Part {
  const over =
    items.length > 0
      ? table(items.map(({ name, value }) => [name, value]))
      : wrapBaseString(baseString, columns - indent)
  return ['Signed', [`with ${schemes[scheme]}`, ...over, `SHA-256 of the signature: ${fingerprint.slice(0, 16)}…`]]
}

const sent = ({ path, fields, ending }: Exchange): Part => [
  ending === 'not-sent' ? 'Not sent' : 'Sent',
  [`POST ${path}`, ...table(fields)],
]

function answered({ httpStatus, reply, receivedText, startedAt, finishedAt }: Exchange): Part {
  const after = `after ${finishedAt - startedAt} ms`
  if (httpStatus === undefined) return ['Answered', [`nothing, ${after}`]]
  const text = receivedText === undefined ? [] : receivedText.split('\n', 12).map(printable)
  return ['Answered', [`HTTP ${httpStatus} ${after}`, ...(reply === undefined ? text : table(Object.entries(reply)))]]
}

/** Names and values below each other, printable. */
export function table(rows: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${printable(name).padEnd(width)}  ${printable(value)}`)
}

/** How far lines are from the left, for their title. */
const indent = 10

/** Writes lines under a title that stands before the first of them. */
export function section(
  title: string,
  lines: readonly string[],
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const wrapped = lines.flatMap(line => wrap(line, columns - indent))
  return wrapped
    .map((line, at) => `${at === 0 ? paint('bold', title.padEnd(indent)) : ' '.repeat(indent)}${line}`)
    .join('\n')
}
