import { signedCallback } from '@tillkit/testing'
import { type CommandLine, json, option, repeated } from '../command-line/command.js'
import { readPairs } from '../command-line/secrets.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { inShell } from '../command-line/wrap.js'
import { readText } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'
import { deliver } from './deliver.js'
import { readRecorded, readShop } from './recorded.js'
import { keyFileOption, merchantOf, profileOption, settingsOption } from './settings.js'

interface SendOptions {
  readonly to?: string
  readonly order?: string
  readonly orderId?: string
  readonly status?: string
  readonly field?: readonly string[]
  readonly return?: true
  readonly post?: true
  readonly settings?: string
  readonly keyFile?: string
  readonly profile?: string
  readonly json?: true
}

interface ReplayOptions {
  readonly file?: string
  readonly to?: string
  readonly post?: true
  readonly profile?: string
  readonly json?: true
}

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
      does: 'Signs a callback about an order with the control key, sends it to the address of a shop, and says what the answer means. It is signed as the gateway signs: send it to shops of your own. A handler that is right asks the gateway before it believes a word of it.',
      examples: [
        'tillkit callback send --settings test.env \\\n  --to http://127.0.0.1:3000/callback \\\n  --order order-7 --order-id 1815162342',
        'tillkit callback send --settings test.env \\\n  --to http://127.0.0.1:3000/callback --order order-7 \\\n  --order-id 1815162342 --status declined \\\n  --field amount=10.42 --field currency=EUR --field type=sale',
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
  send.runs<SendOptions>(async options => {
    const { to, order, orderId, status = 'approved', field = [] } = options
    if (to === undefined) throw new UsageError('--to <address> is missing: where the shop takes callbacks.')
    if (order === undefined) throw new UsageError('--order <id> is missing: your own id of the order.')
    if (orderId === undefined) {
      throw new UsageError(
        `--order-id <id> is missing: the gateway’s id of the order. "tillkit status ${inShell(order)}" asks the gateway for it, and "tillkit payment <reference>" shows it of a till. A shop answers 503 to a callback with another one.`,
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
      does: 'Sends a callback once more that was written down: an address with its query, a form, a line of an access log, or a whole request. It goes as it is, with the signature that it has: nothing is signed.',
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
  replay.runs<ReplayOptions>(async options => {
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
