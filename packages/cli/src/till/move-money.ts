import type { GatewayError } from '@tillkit/client'
import { nearName, operations, recipientFields, recipientOf } from '@tillkit/protocol'
import type { Payment, PayoutOrder, Till } from '@tillkit/till'
import { type CommandLine, json, option, repeated } from '../command-line/command.js'
import type { Ending } from '../command-line/exit-codes.js'
import { MayHaveHappenedError, withProgress } from '../command-line/progress.js'
import { readPairs } from '../command-line/secrets.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { inOptions } from '../command-line/words.js'
import { columnsOf, inShell, printable, wrapText } from '../command-line/wrap.js'
import { readText } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'
import { readFields, requestOf } from '../merchant/fields.js'
import { type MerchantOptions, merchantOf, sameAccount } from '../merchant/settings.js'
import { endings, endOf, type Moved, payoutEnd, sentenceOf, whyDeclined } from './moved.js'
import { type PersonOptions, personOf, personOptions } from './person.js'
import { type Desk, sameTill, type TillOptions, tillOptions, withTill } from './with-till.js'

interface MoveOptions extends TillOptions, PersonOptions {
  readonly json?: true
}

const partOptions = () => [
  option('--amount <amount>', 'A part, such as 3.00. Default: all that is left.'),
  option('--key <name>', 'Your name of the part: the same one is sent once. Required with --amount.'),
]

const changes = {
  return: {
    summary: 'Gives the money of a payment back: all, or a part.',
    does: 'Gives money of a payment back: all that is left, or a part of it.',
    takesPart: true,
  },
  capture: {
    summary: 'Captures a hold: all of it, or a part.',
    does: 'Captures the money of a hold: all of it, or a part.',
    takesPart: true,
  },
  void: { summary: 'Releases a hold.', does: 'Releases a hold: the customer’s money is free again.', takesPart: false },
} as const

type Change = keyof typeof changes

const once =
  'It goes through the store of your till: what was sent is never sent again, and who wanted it, and why, is kept. ' +
  'Your handler is not called here: a process of the shop tells it.'

const ends = {
  done: 'It is over.',
  failed: 'It is not possible, was refused or declined, or did not leave.',
  usage: undefined,
  processing: undefined,
  unknown:
    'No answer came, or something failed after it had left: money may have moved. ' +
    'The till finds out; the same command sends nothing twice.',
  interrupted: undefined,
} as const

/** `tillkit return`, `capture` and `void`: money of a payment of a till. */
export function addChange(name: Change, line: CommandLine, surroundings: Surroundings): void {
  const { summary, does, takesPart } = changes[name]
  const part = takesPart ? ' --amount 3.00 --key cup' : ''
  const command = line.add(
    line.root,
    `${name} <reference>`,
    {
      summary,
      usage: '<reference> --who … --why … [options]',
      does: `${does} ${once}`,
      examples: [
        `tillkit ${name} basket-7 --store shop.db --settings shop.env \\\n` +
          `  --who ada --why 'ticket 4711: ${name === 'capture' ? 'it was sent' : 'it is not wanted'}'`,
        ...(takesPart ? [`tillkit ${name} basket-7${part} \\\n  --who ada --why 'ticket 4711'`] : []),
      ],
      ends,
    },
    [...(takesPart ? partOptions() : []), ...personOptions('wants it'), json('what became of it'), ...tillOptions()],
  )
  command.runs(async (options, reference = '') => {
    const person = personOf(options)
    const { amount, key } = options
    if ((amount === undefined) !== (key === undefined))
      throw new UsageError(
        '--amount and --key go together: --amount 3.00 --key cup. The key is your name of the part, and the same one is sent once.',
      )
    if (key !== undefined && (key === '' || key !== key.trim()))
      throw new UsageError('--key is your name of the part, such as cup: it is not empty, and no space is at its ends.')
    const wanted = amount === undefined || key === undefined ? person : { ...person, amount, key }
    return moveMoney({ name, reference, options, surroundings }, async (till, { find }) => {
      await find(reference)
      const { kind, again, payment } = await till[name](reference, wanted)
      if (kind === 'unknown') return { kind, again, payment }
      const now = await shownNow(till, payment)
      return { ...endOf({ name, key, of: reference }, now), again, payment: now }
    })
  })
}

/** `tillkit pay-out`: money that is sent, through the store of a till. */
export function addPayOut(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'pay-out <reference>',
    {
      summary: 'Sends money to an account, a card or a phone, once.',
      usage: '<reference> --who … --why … [options]',
      does: `Sends money to an account, a card or a phone, once for each reference. ${once}`,
      examples: [
        'tillkit pay-out payout-7 --store shop.db --settings shop.env \\\n' +
          '  --field amount=10.00 --field currency=EUR \\\n  --field accountNumber=NL91ABNA0417164300 \\\n' +
          "  --who ada --why 'invoice 4711'",
        "tillkit pay-out payout-8 --fields-file card.json \\\n  --who ada --why 'invoice 4712'",
      ],
      ends: {
        ...ends,
        checked:
          'With --checked: the recipient is right, and nothing was sent yet. The same command sends the money, and ends with 0.',
      },
    },
    [
      repeated('--field <name=value>', 'A field of the payout, repeated for each; amounts such as 10.42.'),
      option('--fields-file <file>', 'JSON object of fields; - reads the standard input. For card data.'),
      option('--checked', 'Checks the recipient first. The same command again sends the money.'),
      ...personOptions('wants it'),
      json('what became of it'),
      ...tillOptions(),
    ],
  )
  command.runs(async (options, reference = '') => {
    const person = personOf(options)
    const fields = await payoutFields(reference, options, surroundings)
    const isChecked = options.checked === true
    return moveMoney({ name: 'pay-out', reference, options, surroundings }, async (till, { hasSent }) => {
      const order = { ...fields, reference, checked: isChecked, ...person } as PayoutOrder
      const { kind, payment } = await till.payout(order)
      const now = kind === 'sent' || payment.state === 'unknown' ? payment : await shownNow(till, payment)
      return { kind: payoutEnd(now, isChecked), again: !hasSent(), payment: now, reason: whyDeclined(now) }
    })
  })
}

async function payoutFields(
  reference: string,
  options: MerchantOptions & { readonly field?: readonly string[]; readonly fieldsFile?: string },
  surroundings: Surroundings,
): Promise<Readonly<Record<string, unknown>>> {
  const { field = [], fieldsFile } = options
  const { input } = surroundings
  const text = () =>
    fieldsFile === '-' ? input('Paste the fields as a JSON object') : readText(fieldsFile ?? '', '--fields-file')
  const given = {
    fromArguments: [['clientOrderId', reference] as const, ...readPairs(field, '--field')],
    fromFile: fieldsFile === undefined ? [] : readFields(await text(), '--fields-file'),
  }
  const { baseUrl } = (await merchantOf(options, surroundings)).clientOptions()
  const operation = { name: 'The payout', row: operations.payoutV4 }
  const { clientOrderId: _, ...fields } = requestOf(operation, given, String(baseUrl))
  const odd = ['reference', 'checked', 'who', 'why'].find(name => Object.hasOwn(fields, name))
  if (odd !== undefined) throw new UsageError(`${odd} is no field of a payout. See tillkit pay-out --help.`)
  const near = Object.keys(fields).flatMap(name => nearName(name, recipientFields) ?? [])
  if (recipientOf(fields) === undefined)
    throw new UsageError(
      'The payout was not sent: it has no recipient. ' +
        `${near.length === 0 ? '' : `Did you mean ${near.join(', ')}? `}` +
        `Give one of ${recipientFields.join(', ')} with --field or --fields-file.`,
    )
  return fields
}

/** Status may show at once how it ended. If it cannot be asked, the payment stays as it was known. */
const shownNow = (till: Till, payment: Payment): Promise<Payment> => till.ask(payment.reference).catch(() => payment)

interface Moving {
  readonly name: Change | 'pay-out'
  readonly reference: string
  readonly options: MoveOptions
  readonly surroundings: Surroundings
}

async function moveMoney(
  { name, reference, options, surroundings }: Moving,
  move: (till: Till, desk: Desk) => Promise<Moved>,
): Promise<Ending> {
  const shows = `"tillkit payment ${inShell(reference)}${sameTill(options)}" shows`
  const left = `The ${name} may have been sent: ${shows} it. The same command sends nothing twice.`
  return withTill({ ...options, isKnown: true }, surroundings, async (till, desk) => {
    const asked = () =>
      move(till, desk).catch(error => refuse(error, { name, options, left, shows, isSent: desk.hasSent() }))
    const moved = await withProgress(surroundings, 'Waiting for the gateway', asked, () => left)
    const said = () => wrapText(printable(sentenceOf(name, moved, shows)), columnsOf(surroundings.terminal))
    surroundings.say(`${options.json === true ? JSON.stringify(moved) : said()}\n`)
    return endings[moved.kind]
  })
}

/** @throws An error that names the wrong option, or says whether the request may have done something. */
function refuse(
  error: unknown,
  {
    name,
    options: given,
    left,
    shows,
    isSent,
  }: Pick<Moving, 'name' | 'options'> & {
    readonly left: string
    readonly shows: string
    readonly isSent: boolean
  },
): never {
  const { name: kind, message = String(error), code, moneyMayHaveMoved } = Object(error) as Partial<GatewayError>
  const more = (text: string) => new Error(`${message} ${text}`, { cause: error })
  if (error instanceof TypeError || kind === 'InvalidRequestError') {
    const options = name === 'pay-out' ? [] : partOptions()
    throw new UsageError(
      inOptions(message, options, each => `"${each}"`),
      { cause: error },
    )
  }
  // Only an error that says so is certain: a store may fail when the request has left.
  if (isSent && moneyMayHaveMoved !== false) throw new MayHaveHappenedError(`${message} ${left}`, { cause: error })
  if (code === 'ERR_AUTHENTICATION_REFUSED' || code === 'ERR_REQUEST_REFUSED')
    throw more('The gateway did nothing. Once that is corrected, the same command may be typed again.')
  if (code === 'ERR_ALREADY_SENT' && moneyMayHaveMoved === false)
    throw more(`"tillkit check${sameAccount(given)}" says whether the gateway takes the keys of the settings.`)
  if (kind === 'TillError') throw more(`${shows} how it stands.`)
  throw error
}
