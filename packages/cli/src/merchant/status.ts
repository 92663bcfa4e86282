import { type Client, isGatewayError } from '@tillkit/client'
import {
  nextPause,
  type StatusResponse,
  stageOf,
  startPace,
  threeDSecureStep,
  type WireProfile,
} from '@tillkit/protocol'
import { type CommandLine, json, option } from '../command-line/command.js'
import type { Ending } from '../command-line/exit-codes.js'
import { InterruptedError, stopSignal, withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { columnsOf, paintFor, printable, wrap } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'
import { about, colourOf, endingOf, type Meaning, meaningOfError, meaningOfStatus } from './meaning.js'
import { type MerchantOptions, merchantOf, merchantOptions, sameAccount } from './settings.js'

/** `tillkit status`: how an order stands. */
export function addStatus(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'status <order>',
    {
      summary: 'Says how an order stands, once or until it is over.',
      does:
        'Asks the gateway how an order stands, and says what that means. <order> is your own order id, clientOrderId. ' +
        'It changes nothing. ' +
        'With --watch it asks until there is a final word, and prints a line for each change; Ctrl+C ends the wait.',
      examples: [
        'tillkit status order-7',
        'tillkit status order-7 --order-id 1815162342 --watch',
        'tillkit status order-7 --json | jq -r .kind',
      ],
      ends: {
        done: 'The latest stage of the order is approved.',
        failed: 'It is declined; or the question was refused, or not sent.',
        usage: undefined,
        'not-known': 'No answer came.',
        processing: 'There is no final word yet.',
        interrupted: undefined,
      },
    },
    [
      option('--order-id <id>', 'The gateway’s id of the order. Some gateways ask for it.'),
      option('--serial-number <id>', 'Asks about one request of the order: its serial-number.'),
      option('--watch', 'Asks until there is a final word.'),
      json('what status says'),
      ...merchantOptions(),
    ],
  )
  command.runs(async (options, clientOrderId = '') => {
    const merchant = await merchantOf(options, surroundings)
    const profile = merchant.profile()
    const client = merchant.client()
    const order = { clientOrderId, orderId: options.orderId, byRequestSn: options.serialNumber }
    try {
      if (options.watch === true) return await watchOrder({ client, order, profile }, options, surroundings)
      const signal = stopSignal(surroundings)
      const asked = () => askStatus({ client, order, profile }, signal)
      const observed = await withProgress(surroundings, 'Asking status', asked)
      if (signal.aborted) throw new InterruptedError('Asking changed nothing.')
      tellObserved(observed, { order, profile }, options, surroundings)
      return endingOf(observed.meaning)
    } catch (error) {
      throw isWrongQuestion(error) ? new UsageError(error.message, { cause: error }) : error
    } finally {
      await client.close()
    }
  })
}

/** Which order, and who is asked. */
interface WatchedOrder {
  readonly client: Pick<Client, 'status'>
  readonly profile: WireProfile
  readonly order: {
    readonly clientOrderId: string
    readonly orderId?: string | undefined
    readonly byRequestSn?: string | undefined
  }
}

/** One answer of status, or the lack of one. */
interface Observed {
  readonly meaning: Meaning
  readonly reply?: StatusResponse
}

/** Asks status once. @throws What is no answer and no lack of one. */
async function askStatus({ client, order, profile }: WatchedOrder, signal: AbortSignal): Promise<Observed> {
  const { clientOrderId, orderId, byRequestSn } = order
  try {
    const reply = await client.status(
      {
        clientOrderId,
        ...(orderId === undefined ? {} : { orderId }),
        ...(byRequestSn === undefined ? {} : { byRequestSn }),
      },
      { signal },
    )
    return { reply, meaning: withStep(meaningOfStatus(reply, profile), reply, profile) }
  } catch (error) {
    const meaning = meaningOfError(error, 'reads')
    if (meaning === undefined) throw error
    return { meaning }
  }
}

/** Adds that the customer has to do something first. */
function withStep(meaning: Meaning, reply: StatusResponse, profile: WireProfile): Meaning {
  if (meaning.kind !== 'processing' || threeDSecureStep(reply, profile) === undefined) return meaning
  return { ...meaning, text: `${meaning.text} The customer has to go through 3-D Secure first.` }
}

/** Writes what status said, for people or for programs. */
function tellObserved(
  { meaning: observed, reply }: Observed,
  { order: { clientOrderId }, profile }: Pick<WatchedOrder, 'order' | 'profile'>,
  { json, ...options }: MerchantOptions & { readonly json?: true },
  surroundings: Surroundings,
): void {
  const meaning = about(observed, sameAccount(options))
  const { say, clock } = surroundings
  if (json === true) {
    const { orderId, status, amount, currency } = reply ?? {}
    const stage = reply && stageOf(reply, profile)
    const { kind, text: means, next } = meaning
    say(`${JSON.stringify({ kind, clientOrderId, orderId, stage, status, amount, currency, means, next })}\n`)
    return
  }
  const paint = paintFor(surroundings)
  const time = new Date(clock()).toISOString().slice(11, 19)
  const lines = wrap(printable(`${meaning.kind}: ${meaning.text}`), columnsOf(surroundings.terminal) - 10)
  const painted = lines.map((each, at) =>
    at === 0 ? each.replace(meaning.kind, paint(colourOf(meaning), meaning.kind)) : each,
  )
  const next = meaning.next.map(each => `Next: ${printable(each)}`)
  say([...painted, ...next].map((each, at) => `${at === 0 ? `${time}  ` : ' '.repeat(10)}${each}\n`).join(''))
}

const goesOn = 'Asking changed nothing, and the order goes on at the gateway: ask status again.'

/** Asks status until there is a final word, by the pace that public pages of the gateway ask for. Each change is one line. */
export async function watchOrder(
  watched: WatchedOrder,
  options: MerchantOptions & { readonly json?: true },
  surroundings: Surroundings,
): Promise<Ending> {
  const { clock, random, wait } = surroundings
  const signal = stopSignal(surroundings)
  const schedule = watched.profile.pollSchedule.value
  let pace = startPace(clock())
  let said = ''
  for (;;) {
    const observed = await withProgress(surroundings, 'Asking status', () => askStatus(watched, signal))
    if (signal.aborted) throw new InterruptedError(goesOn)
    const { meaning } = observed
    const isOver = meaning.kind !== 'processing' && meaning.kind !== 'no-answer' && meaning.kind !== 'not-sent'
    if (said !== meaning.text) {
      const shown = isOver ? observed : { ...observed, meaning: { ...meaning, next: [] } }
      tellObserved(shown, watched, options, surroundings)
    }
    if (isOver) return endingOf(meaning)
    said = meaning.text
    const next = nextPause(pace, { schedule, now: clock(), random })
    if (next === undefined) return endingOf(meaning)
    pace = next.pace
    const word = observed.reply?.status ?? 'no answer'
    const seconds = Math.ceil(next.pause / 1_000)
    const what = `${word}: asking again in ${seconds} s (Ctrl+C ends the wait, and changes nothing)`
    await withProgress(surroundings, what, () => wait(next.pause, signal).catch(() => undefined))
    if (signal.aborted) throw new InterruptedError(goesOn)
  }
}

/** Whether a thrown value is a mistake in the question. */
const isWrongQuestion = (error: unknown): error is Error =>
  isGatewayError(error) && error.code === 'ERR_INVALID_REQUEST'
