import { parseArgs } from 'node:util'
import { decodeForm, type Parameter } from '../index.js'

/** A request as a curl command sends it. */
export interface CurlRequest {
  readonly method: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Parameters of the form, decoded. */
  readonly parameters: readonly Parameter[]
}

/** A curl command that was read, or why it could not be. */
export type ReadCurl =
  | { readonly kind: 'read'; readonly request: CurlRequest }
  | { readonly kind: 'unreadable'; readonly text: string }

/** Tells whether a text is meant as a curl command. */
export const isCurl = (text: string): boolean => /^\s*(\$\s+)?curl(\.exe)?\s/.test(text)

const formType = 'application/x-www-form-urlencoded'

/** Longest command that is read, in characters. */
const longestRead = 20_000

/** Options with a value, some with a letter. Every other option has none. */
const withValue =
  'request:X header:H data:d form:F user-agent:A cookie:b cookie-jar:c referer:e cert:E config:K max-time:m output:o user:u ' +
  'write-out:w proxy:x dump-header:D url data-ascii data-binary data-raw data-urlencode key cacert connect-timeout resolve ' +
  'connect-to retry retry-delay'

const options = Object.fromEntries(
  withValue.split(' ').map(option => {
    const [name = '', short] = option.split(':')
    return [name, { type: 'string', ...(short === undefined ? {} : { short }) } as const]
  }),
)

/**
 * Reads a curl command as a person copies it: from a terminal, a document, or a browser's developer tools. Nothing is run: what
 * a shell would put in for a variable is not known, and is an error, as are more than 20000 characters.
 */
export function readCurl(text: string): ReadCurl {
  const request = text.length > longestRead ? `It is longer than ${longestRead} characters.` : readCommand(text)
  return typeof request === 'string' ? { kind: 'unreadable', text: request } : { kind: 'read', request }
}

/** @returns Why it cannot be read, where that is so. */
function readCommand(text: string): CurlRequest | string {
  const words = splitWords(text.trim().replace(/^\$\s+/, ''))
  if (typeof words === 'string') return words
  const { tokens } = parseArgs({ args: words.slice(1), options, strict: false, allowPositionals: true, tokens: true })
  const headers = new Map<string, string>()
  const data: string[] = []
  let [address, method]: (string | undefined)[] = []
  let isGet = false
  for (const token of tokens) {
    if (token.kind === 'positional') address ??= token.value
    if (token.kind !== 'option') continue
    const { name, value = '' } = token
    if (name === 'get' || name === 'G') isGet = true
    else if (name === 'request') method = value
    else if (name === 'url') address = value
    else if (name === 'form')
      return 'It sends multipart/form-data (-F); the gateway takes a form: use --data-urlencode.'
    else if (name === 'header') {
      const [header = '', ...rest] = value.split(':')
      headers.set(header.trim().toLowerCase(), rest.join(':').trim())
    } else if (name.startsWith('data')) {
      const isEncoded = name !== 'data-urlencode'
      const border = isEncoded ? -1 : value.search(/[=@]/)
      if (isEncoded ? name !== 'data-raw' && value.startsWith('@') : value[border] === '@')
        return 'The body is read from a file, which is not here: put it in the command.'
      const content = encodeURIComponent(Buffer.from(value.slice(border + 1)).toString())
      data.push(isEncoded ? value : border > 0 ? `${value.slice(0, border)}=${content}` : content)
    }
  }
  const url = readAddress(address)
  if (url === undefined) return 'There is no address, or it is none: http:// or https:// and a host.'
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? formType
  if (type !== formType) return `The Content-Type is another than ${formType}; only a form is read.`
  const body = data.join('&')
  if (isGet && body !== '') url.search += `${url.search === '' ? '?' : '&'}${body}`
  try {
    const parameters = isGet ? [] : decodeForm(body)
    return { method: (method ?? (data.length > 0 && !isGet ? 'POST' : 'GET')).toUpperCase(), url, headers, parameters }
  } catch {
    return 'The form cannot be read: an escape is malformed, or the bytes are no UTF-8.'
  }
}

function readAddress(text = ''): URL | undefined {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  return text !== '' && URL.canParse(address) && /^https?:/i.test(address) ? new URL(address) : undefined
}

const variable =
  'A variable or a command of the shell is in it, whose value is not here: run it with "echo" in place of "curl", or put the value in.'

/** Splits a command into words as a POSIX shell does. @returns What is wrong, where that is not possible. */
function splitWords(text: string): string[] | string {
  // Copied for the terminal of Windows, where ^ escapes.
  const command = /\^\r?\n|\^"/.test(text) ? text.replace(/\^\r?\n/g, ' ').replace(/\^(.)/g, '$1') : text
  const token =
    /\s+|\\\r?\n|\\(.)|'([^']*)'|\$'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s\\'"$`|;&<>]+|\$(?![\w({'?]))|([\s\S])/gsy
  const words: string[] = []
  let word: string | undefined
  for (const match of command.matchAll(token)) {
    const [all, escaped, single, ansi, double, bare, other] = match
    if (/^(\s+|\\\r?\n)$/.test(all)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    if (other !== undefined) {
      if (/['"]/.test(other)) return 'A quotation mark is not closed.'
      if (/[$`]/.test(other)) return variable
      // The command ends here: what follows reads its answer.
      break
    }
    if (double !== undefined && /(^|[^\\])(\\\\)*(`|\$[\w({])/.test(double)) return variable
    const inner = double?.replace(/\\(\r?\n)/g, '').replace(/\\(["\\$`])/g, '$1')
    word =
      (word ?? '') + (escaped ?? single ?? (ansi === undefined ? undefined : readAnsi(ansi)) ?? inner ?? bare ?? '')
  }
  if (word !== undefined) words.push(word)
  return words
}

const ansiEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0' }

/** Reads what stands in `$'…'`, as browsers write it. */
const readAnsi = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{1,4})|x([\da-f]{1,2})|(.))/gis, (_all, unicode, hex, other: string) =>
    other === undefined ? String.fromCharCode(Number.parseInt(unicode ?? hex, 16)) : (ansiEscapes[other] ?? other),
  )
