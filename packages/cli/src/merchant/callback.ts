import { describeValue, isLoopbackHost } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { signedCallback } from '@tillkit/testing'
import { type CommandLine, json, option, repeated } from '../command-line/command.js'
import { readPairs } from '../command-line/secrets.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { inShell, withoutUser } from '../command-line/wrap.js'
import { readText } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'
import { deliver } from './deliver.js'
import { keyFileOption, merchantOf, profileOption, settingsOption } from './settings.js'

const ends = {
  done: 'The shop took it.',
  failed: 'The shop did not take it, or did not answer.',
  usage: undefined,
  interrupted: undefined,
} as const

/** `tillkit callback`: callbacks to a shop, without a gateway. */
export function addCallback(line: CommandLine, surroundings: Surroundings): void {
  const group = line.group('callback', {
    summary: 'Sends a callback to a shop: a signed one, or a recorded one again.',
    does: 'Sends callbacks to a shop, to try its handler without a gateway.',
  })
  const send = line.add(
    group,
    'send',
    {
      summary: 'Signs a callback about an order and sends it to a shop.',
      usage: '--to … --order … --order-id … [options]',
      does:
        'Signs a callback about an order with the control key, sends it to the address of a shop, ' +
        'and says what the answer means. It is signed as the gateway signs: send it to shops of your own. ' +
        'A handler that is right asks the gateway before it believes a word of it.',
      examples: [
        'tillkit callback send --settings test.env \\\n  --to http://127.0.0.1:3000/callback \\\n  --order order-7 --order-id 1815162342',
        'tillkit callback send --settings test.env \\\n  --to http://127.0.0.1:3000/callback --order order-7 \\\n' +
          '  --order-id 1815162342 --status declined \\\n  --field amount=10.42 --field currency=EUR --field type=sale',
      ],
      ends,
    },
    [
      option('--to <address>', 'Address of the shop that takes callbacks. Required.'),
      option('--order <id>', 'Your own id of the order, clientOrderId. Required.'),
      option('--order-id <id>', 'The gateway’s id of the order. Required.'),
      option('--status <word>', 'What it says of the order. Default: approved.'),
      repeated('--field <name=value>', 'Another parameter, which is not signed, such as amount=10.42.'),
      option('--return', 'Sends what the customer’s browser brings back, in place of a callback.'),
      option('--post', 'Sends a form. Default: the parameters stand in the address.'),
      settingsOption(),
      keyFileOption(),
      profileOption(),
      json('what was sent and answered'),
    ],
  )
  send.runs(async options => {
    const { to, order, orderId, status = 'approved', field = [] } = options
    if (to === undefined) throw new UsageError('--to <address> is missing: where the shop takes callbacks.')
    if (order === undefined) throw new UsageError('--order <id> is missing: your own id of the order.')
    if (orderId === undefined) {
      throw new UsageError(
        '--order-id <id> is missing: the gateway’s id of the order. ' +
          `"tillkit status ${inShell(order)}" asks the gateway for it, ` +
          'and "tillkit payment <reference>" shows it of a till. A shop answers 503 to a callback with another one.',
      )
    }
    const url = readShop(to)
    const extra = Object.fromEntries(readPairs(field, '--field'))
    const isReturn = options.return === true
    const merchant = await merchantOf(options, surroundings)
    const profile = merchant.profile()
    const { parameters } = signedCallback({
      controlKey: await merchant.controlKey(),
      status,
      orderId,
      clientOrderId: order,
      extra,
      profile,
      kind: isReturn ? 'browserReturn' : 'callback',
    })
    // Browsers come back with a form.
    const isPost = options.post === true || isReturn || profile.callbackMethod.value === 'POST'
    return deliver({ url, method: isPost ? 'POST' : 'GET', parameters, profile }, options, surroundings)
  })
  const replay = line.add(
    group,
    'replay',
    {
      summary: 'Sends a recorded callback once more.',
      does:
        'Sends a callback once more that was written down: ' +
        'an address with its query, a form, a line of an access log, or a whole request. ' +
        'It goes as it is, with the signature that it has: nothing is signed.',
      examples: [
        "grep -m 1 'GET /callback' access.log |\n  tillkit callback replay --to http://127.0.0.1:3000/callback",
        'tillkit callback replay --file callback.txt \\\n  --to http://127.0.0.1:3000/callback --post',
      ],
      ends,
    },
    [
      option('-f, --file <file>', 'Holds the recorded callback. Default: the standard input.'),
      option('--to <address>', 'Where it goes. Default: where it went, if that was written down.'),
      option('--post', 'Sends a form. Default: as it was written down.'),
      profileOption(),
      json('what was sent and answered'),
    ],
  )
  replay.runs(async options => {
    const { file, to } = options
    const text =
      file === undefined ? await surroundings.input('Paste a recorded callback') : await readText(file, '--file')
    const { url: recordedUrl, method, parameters } = readRecorded(text)
    const url = to === undefined ? recordedUrl : readShop(to)
    if (url === undefined) {
      throw new UsageError('Where to? What was written down does not say its host: name the shop with --to <address>.')
    }
    return deliver(
      {
        url,
        method: options.post === true ? 'POST' : (method ?? 'GET'),
        parameters,
        profile: (await merchantOf(options, surroundings)).profile(),
      },
      options,
      surroundings,
    )
  })
}

/** A callback that somebody wrote down: a request, an address, or a form. */
interface Recorded {
  /** The address that it went to; undefined where only its parameters were written down. */
  readonly url: URL | undefined
  /** Undefined where that was not written down. */
  readonly method: 'GET' | 'POST' | undefined
  /** Those of its query, or of its body. */
  readonly parameters: readonly Parameter[]
}

/** A line that begins a request, such as `GET /callback?status=approved HTTP/1.1`, wherever it stands in a line of a log. */
const requestLine = /\b(GET|POST)\s+(\S+)(?:\s+HTTP\/[\d.]+)?/

/**
 * Reads a recorded callback: an address with its query, a query or form alone, a line of an access log, or a whole request with its
 * body.
 *
 * @throws {@link UsageError} that does not quote it: it holds a control value.
 */
function readRecorded(text: string): Recorded {
  const trimmed = text.replace(/\r\n/g, '\n').trim()
  if (trimmed === '') throw new UsageError('There is no callback to send: the file or the standard input is empty.')
  const [, method, target] = requestLine.exec(trimmed) ?? []
  if (target !== undefined) {
    const [, body = ''] = trimmed.split('\n\n', 2)
    const host = /^host:\s*(\S+)$/im.exec(trimmed)?.[1]
    return recorded(target, { method: method as 'GET', host, body: method === 'POST' ? body.trim() : '' })
  }
  if (/\s/.test(trimmed)) {
    throw new UsageError(
      'This is no recorded callback. It must be an address with its query, a form such as status=approved&orderid=…, or a whole request.',
    )
  }
  const isForm = !/^[a-z]+:\/\//i.test(trimmed) && !trimmed.startsWith('/') && !trimmed.startsWith('?')
  return isForm
    ? recorded('', { method: undefined, host: undefined, body: trimmed })
    : recorded(trimmed, { method: 'GET', host: undefined, body: '' })
}

function recorded(
  target: string,
  {
    method,
    host,
    body,
  }: { readonly method: Recorded['method']; readonly host: string | undefined; readonly body: string },
): Recorded {
  const isWhole = /^https?:\/\//i.test(target)
  const address = URL.canParse(target, 'http://unknown.invalid') ? new URL(target, 'http://unknown.invalid') : undefined
  if (address === undefined) throw new UsageError('The recorded callback has no address that can be read.')
  const query = [...address.searchParams]
  const parameters = body === '' ? query : [...new URLSearchParams(body)]
  if (parameters.length === 0)
    throw new UsageError('The recorded callback has no parameters: it says nothing about any order.')
  if (body === '') address.search = ''
  const url = isWhole
    ? address
    : host === undefined || !isOwnHost(host)
      ? undefined
      : new URL(address.href.replace('unknown.invalid', host))
  return { url, method, parameters }
}

/** A request does not say whether it came over TLS, so only a host of this machine is taken from it. */
function isOwnHost(host: string): boolean {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
  return url !== undefined && url.host === host.toLowerCase() && isLoopbackHost(url.hostname)
}

/** Reads the address of a shop. @throws {@link UsageError} */
function readShop(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(
    `--to is ${describeValue(withoutUser(text))}; it must be an http or https address, such as http://127.0.0.1:3000/callback.`,
  )
}
