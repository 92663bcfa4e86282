/**
 * A request as a person pastes it: a curl command.
 *
 * @module
 */
import fc from 'fast-check'
import { type CurlRequest, isCurl, readCurl } from '../../../../packages/signing/src/explain/read-curl.js'
import { repeated } from '../inputs.js'
import { cardNumber, type Parser, promise, promiseQuiet, promiseSame, secret } from '../parser.js'

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const quotings: readonly ((text: string) => string)[] = [
  single,
  text => `"${text.replace(/["\\$`]/g, '\\$&')}"`,
  text => `$'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
]
const addresses = ['https://gate.example/paynet/api/v2/sale/39', 'gate.example', 'http://[::1]:80/?a=b', 'ftp://a', '']
const value = fc.constantFrom(
  'amount=10.00',
  'a=b&c=d%20e',
  `note=${secret}`,
  `card=${cardNumber}`,
  'é=🛒',
  '@file',
  '%zz',
)
const option = fc.constantFrom(
  '-d',
  '--data-urlencode',
  '--data-raw',
  '-H',
  '-X',
  '-G',
  '--url',
  '-F',
  '-u',
  '--compressed',
)

const written = fc
  .record({
    address: fc.constantFrom(...addresses),
    words: fc.array(fc.tuple(option, fc.oneof(value, fc.constantFrom('POST', 'content-type: text/plain', 'a:b'))), {
      maxLength: 5,
    }),
    quoting: fc.constantFrom(...quotings),
    border: fc.constantFrom(' ', ' \\\n  ', ' ^\r\n '),
  })
  .map(({ address, words, quoting, border }) =>
    Buffer.from(['curl', quoting(address), ...words.flatMap(([name, text]) => [name, quoting(text)])].join(border)),
  )

/** The same request as a command, each word in single quotation marks. */
function commandOf({ method, url, headers, parameters }: CurlRequest): string {
  const more = [...headers].flatMap(([name, text]) => ['-H', single(`${name}: ${text}`)])
  const data = parameters.flatMap(pair => ['--data-raw', single(pair.map(encodeURIComponent).join('='))])
  return ['curl', '-X', single(method), '--url', single(url.href), ...more, ...data].join(' ')
}

const plain = ({ method, url, headers, parameters }: CurlRequest) => ({
  method,
  url: url.href,
  headers: [...headers],
  parameters,
})

function examine(input: Buffer): void {
  const text = input.toString('utf8')
  promise(typeof isCurl(text) === 'boolean', 'does not say whether it is a command')
  const read = readCurl(text)
  if (read.kind === 'unreadable') {
    promiseQuiet(read.text)
    return
  }
  const { request } = read
  promise(/^https?:$/.test(request.url.protocol), 'reads another address than one of the Web', request.url)
  const command = commandOf(request)
  if (command.length > 20_000) return
  const again = readCurl(command)
  promise(again.kind === 'read', 'does not read what it wrote', { command, again })
  promiseSame(plain(again.request), plain(request), 'reads another request than it wrote')
}

/** A curl command. */
export const curl: Parser = {
  name: 'curl',
  written,
  tokens: [
    secret,
    'curl ',
    ' -d ',
    '--',
    "$'",
    '\\',
    '$(',
    '`',
    '|',
    '>',
    '^"',
    '--data-urlencode',
    '-Hx:',
    '--url=',
    '\\u00',
  ],
  examine,
  growing: {
    'a long word': repeated('x', { before: 'curl ' }),
    'many words': repeated('-d a=b ', { before: 'curl http://a ' }),
    backslashes: repeated('\\', { before: 'curl "' }),
    'a quotation mark that does not close': repeated("'a' ", { before: 'curl ', after: "'" }),
    'escapes of a browser': repeated("\\'", { before: "curl $'", after: "'" }),
    spaces: repeated(' ', { after: 'curl' }),
    dollars: repeated('$ ', { before: '' }),
  },
}
