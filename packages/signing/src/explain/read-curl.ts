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

/**
 * Reads a curl command as a person copies it: from a terminal, a document, or a browser's developer tools. Nothing is run: what
 * a shell would put in for a variable is not known, and is an error.
 */
export function readCurl(text: string): ReadCurl {
  const words = splitWords(text.trim().replace(/^\$\s+/, ''))
  if (typeof words === 'string') return { kind: 'unreadable', text: words }
  const parts = readWords(words.slice(1))
  if (typeof parts === 'string') return { kind: 'unreadable', text: parts }
  const { address, headers, isGet, data } = parts
  const url = readAddress(address)
  if (url === undefined)
    return { kind: 'unreadable', text: 'There is no address, or it is none: http:// or https:// and a host.' }
  const body = data.join('&')
  if (isGet && body !== '') url.search += `${url.search === '' ? '?' : '&'}${body}`
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'application/x-www-form-urlencoded'
  if (type !== 'application/x-www-form-urlencoded') {
    return {
      kind: 'unreadable',
      text: 'The Content-Type is another than application/x-www-form-urlencoded; only a form is read.',
    }
  }
  try {
    const parameters = isGet ? [] : decodeForm(body)
    const method = (parts.method ?? (data.length > 0 && !isGet ? 'POST' : 'GET')).toUpperCase()
    return { kind: 'read', request: { method, url, headers, parameters } }
  } catch {
    return { kind: 'unreadable', text: 'The form cannot be read: an escape is malformed, or the bytes are no UTF-8.' }
  }
}

/** What one word after another adds up to. */
interface CurlParts {
  readonly address: string | undefined
  readonly method: string | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly isGet: boolean
  /** Pieces of the body, encoded. */
  readonly data: readonly string[]
}

/** Options of curl with a value that changes nothing of what is signed. */
const otherOptions =
  /^(-[AbceEKmouwxCDrTyYzt]|--(user-agent|cookie|cookie-jar|referer|cert|key|cacert|config|max-time|connect-timeout|output|user|write-out|proxy|resolve|connect-to|retry|retry-delay|retry-max-time|limit-rate|interface|unix-socket|tls-max|ciphers|capath|dump-header|trace|trace-ascii|stderr|noproxy))$/

const longNames: Readonly<Record<string, string>> = {
  '-X': '--request',
  '-H': '--header',
  '-d': '--data',
  '-F': '--form',
  '-G': '--get',
  '--data-ascii': '--data',
  '--data-binary': '--data',
}

/** Short options with a value, which may follow at once. */
const withValue = /[XHdFAbceEKmouwxCDrTyYzt]/

/**
 * Takes words apart into options and the rest: `-XPOST` and `-sSd '…'` are several in one word.
 *
 * @returns Each with what gives its value, once: the rest of its word, or the word after it.
 */
function* takeApart(words: readonly string[]): Generator<readonly [name: string, value: () => string | undefined]> {
  let at = 0
  const next = (): string | undefined => words[at++]
  for (let word = next(); word !== undefined; word = next()) {
    const text = word
    const isShort = /^-[A-Za-z]./s.test(text)
    if (!isShort) yield [text, next]
    for (let end = 2; isShort && end <= text.length; end += 1) {
      const name = `-${text[end - 1]}`
      if (withValue.test(name)) {
        yield [name, end < text.length ? () => text.slice(end) : next]
        break
      }
      yield [name, next]
    }
  }
}

/** @returns What is wrong, where it cannot be read. */
function readWords(words: readonly string[]): CurlParts | string {
  const headers = new Map<string, string>()
  const data: string[] = []
  let [address, method]: (string | undefined)[] = []
  let isGet = false
  for (const [word, value] of takeApart(words)) {
    const name = longNames[word] ?? word
    if (name === '--get') isGet = true
    else if (name === '--request') method = value()
    else if (name === '--url') address = value()
    else if (name === '--header') readHeader(value() ?? '', headers)
    else if (name === '--form')
      return 'It sends multipart/form-data (-F); the gateway takes a form: use --data-urlencode.'
    else if (name === '--data' || name === '--data-raw') {
      const piece = value() ?? ''
      if (name === '--data' && piece.startsWith('@'))
        return 'The body is read from a file, which is not here: put it in the command.'
      data.push(piece)
    } else if (name === '--data-urlencode') {
      const piece = value() ?? ''
      const border = piece.search(/[=@]/)
      if (piece[border] === '@') return 'A value is read from a file, which is not here: put it in the command.'
      const content = encodeURIComponent(Buffer.from(piece.slice(border + 1)).toString())
      data.push(border > 0 ? `${piece.slice(0, border)}=${content}` : content)
    } else if (otherOptions.test(name)) value()
    else if (!name.startsWith('-')) address ??= name
  }
  return { address, method, headers, isGet, data }
}

function readHeader(text: string, headers: Map<string, string>): void {
  const border = text.indexOf(':')
  if (border > 0) headers.set(text.slice(0, border).trim().toLowerCase(), text.slice(border + 1).trim())
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
