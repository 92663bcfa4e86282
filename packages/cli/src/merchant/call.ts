import type { Client, Exchange } from '@tillkit/client'
import type { AnyOperation, OperationName, Reply, WireProfile } from '@tillkit/protocol'
import { type CommandLine, json, type OptionsOf, option, repeated } from '../command-line/command.js'
import type { Ending } from '../command-line/exit-codes.js'
import { stopSignal, withProgress } from '../command-line/progress.js'
import { readPairs } from '../command-line/secrets.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { columnsOf, paintFor } from '../command-line/wrap.js'
import { readText } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'
import { checkPresence, operationNamed, readFields, requestOf } from './fields.js'
import { about, endingOf, type Meaning, meaningOfError, meaningOfReply, meaningOfStatus } from './meaning.js'
import { merchantOf, merchantOptions, sameAccount } from './settings.js'
import { watchOrder } from './status.js'
import { describeExchange } from './transcript.js'

/** Whether the commands about a till would find a store by these variables. */
type HasStore = (variables: Surroundings['environment']) => boolean

const callOptions = () => [
  repeated('--field <name=value>', 'A field of the request, repeated for each; amounts such as 10.42.'),
  option('--fields-file <file>', 'JSON object of fields; - reads the standard input. For card data.'),
  option('--watch', 'Goes on asking status until it is known how it ended.'),
  json('what was signed, sent, answered and meant,'),
  ...merchantOptions(),
]

type CallOptions = OptionsOf<ReturnType<typeof callOptions>>

/** `tillkit call`: any operation, and what became of it. */
export function addCall(line: CommandLine, surroundings: Surroundings, hasStore: HasStore): void {
  const command = line.add(
    line.root,
    'call [operation]',
    {
      summary: 'Sends one operation, and says what was signed, answered, and meant.',
      usage: '<operation> [options]',
      does:
        'Sends one request of any operation, such as sale, capture, return or payout, and prints what was signed, ' +
        'what was sent, what was answered, what it means, and the next step. Card data, keys and signatures are not shown.\n\n' +
        'It goes around the store of a till: for payments of a till there are "tillkit return", "capture", "void" and "pay-out".\n\n' +
        'It sends a request once. If no answer comes it says so, and never sends it again: money may have moved. ' +
        '"tillkit call <operation>" without fields lists what the operation needs.',
      examples: [
        'tillkit call sale --settings test.env --fields-file sale.json --watch',
        'tillkit call capture --field clientOrderId=order-7 \\\n  --field orderId=1815162342',
        'tillkit call return --field clientOrderId=order-7 \\\n  --field orderId=1815162342 --field amount=3.00 --field currency=EUR',
        'cat sale.json | tillkit call sale --fields-file -',
      ],
      ends: {
        done: 'The gateway answered; with --watch: it is approved.',
        failed: 'It was refused, or not sent; with --watch: it is declined.',
        usage: undefined,
        'not-known': 'No answer came to a request that changes nothing.',
        processing: undefined,
        unknown: undefined,
        interrupted: undefined,
      },
    },
    callOptions(),
  )
  command.runs((options, name) => callOperation(name, options, { ...surroundings, hasStore }))
}

async function callOperation(
  name: string | undefined,
  options: CallOptions,
  surroundings: Surroundings & { readonly hasStore: HasStore },
): Promise<Ending> {
  const operation = operationNamed(name)
  const { fieldsFile, field = [] } = options
  if (fieldsFile === undefined && field.length === 0) checkPresence(operation, {})
  const fromArguments = readPairs(field, '--field')
  const fromFile =
    fieldsFile === undefined ? [] : readFields(await fileOrInput(fieldsFile, surroundings), '--fields-file')
  const merchant = await merchantOf(options, surroundings)
  const { hasStore, environment } = surroundings
  checkTill(operation.name, hasStore(merchant.settings) || hasStore(environment))
  const profile = merchant.profile()
  let exchange: Exchange | undefined
  const client = merchant.client({
    exchange: seen => {
      exchange = seen
    },
  })
  try {
    const request = requestOf(operation, { fromArguments, fromFile }, client.baseUrl)
    const signal = stopSignal(surroundings)
    const { row } = operation
    const asked = () => send({ client, operation, request, signal, profile })
    const meaning = await withProgress(surroundings, `Waiting for the answer to ${operation.name}`, asked)
    const isWatched = options.watch === true && meaning.kind === 'processing' && row.stages.length > 0
    const shown = isWatched ? { ...meaning, next: stepsBefore(meaning) } : about(meaning, sameAccount(options))
    tell({ meaning: shown, exchange, operation: operation.name }, options, surroundings)
    if (!isWatched) return endingOf(meaning)
    const { clientOrderId = '', orderId } = exchange ?? {}
    return await watchOrder({ client, profile, order: { clientOrderId, orderId } }, options, surroundings)
  } finally {
    await client.close()
  }
}

/** Commands that send the same through the store of a till. */
const throughTill: Partial<Record<OperationName, string>> = {
  capture: 'capture',
  return: 'return',
  void: 'void',
  payout: 'pay-out',
  payoutV4: 'pay-out',
  payoutPay: 'pay-out',
}

/** @throws {@link UsageError} where a till would hear nothing of it, and might send the same again. */
function checkTill(name: OperationName, isBesideTill: boolean): void {
  const { [name]: command } = throughTill
  if (command === undefined || !isBesideTill) return
  throw new UsageError(
    `${name} was not sent: TILLKIT_STORE or DATABASE_URL names the store of a till, ` +
      'which would hear nothing of this request and might move the money again. ' +
      `Use "tillkit ${command} <reference> --who … --why …". ` +
      'For an order that no till keeps, take the variable out of the settings and the environment.',
  )
}

/** Says what a person has to do before there is anything to see, such as sending the customer on. */
const stepsBefore = ({ next }: Meaning) => next.filter(each => !each.startsWith('tillkit '))

const fileOrInput = (path: string, { input }: Surroundings): Promise<string> =>
  path === '-' ? input('Paste the fields as a JSON object') : readText(path, '--fields-file')

/** Sends it once. @throws What is no answer and no lack of one, such as a field that the operation does not have. */
async function send({
  client,
  operation: { name, row },
  request,
  signal,
  profile,
}: {
  readonly client: Client
  readonly operation: { readonly name: OperationName; readonly row: AnyOperation }
  readonly request: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly profile: WireProfile
}): Promise<Meaning> {
  // The client checks the fields, whatever their types say.
  const method = client[name] as (request: unknown, options: { readonly signal: AbortSignal }) => Promise<Reply>
  try {
    const reply = await method(request, { signal })
    const { clientOrderId, orderId } = request as Partial<Record<string, string>>
    return name === 'status' ? meaningOfStatus(reply, profile) : meaningOfReply(row, reply, { clientOrderId, orderId })
  } catch (error) {
    const meaning = meaningOfError(error, row.effect)
    if (meaning !== undefined) return meaning
    if (error instanceof Error && error.name === 'InvalidRequestError')
      throw new UsageError(error.message, { cause: error })
    throw error
  }
}

function tell(
  { meaning, exchange, operation }: { meaning: Meaning; exchange: Exchange | undefined; operation: string },
  options: CallOptions,
  surroundings: Surroundings,
): void {
  const { say } = surroundings
  if (options.json === true) {
    say(
      `${JSON.stringify({ kind: meaning.kind, operation, ...shownExchange(exchange), means: meaning.text, next: meaning.next })}\n`,
    )
    return
  }
  say(describeExchange(exchange, meaning, { paint: paintFor(surroundings), columns: columnsOf(surroundings.terminal) }))
}

/** An exchange for programs. */
function shownExchange(exchange: Exchange | undefined): object {
  if (exchange === undefined) return {}
  const { clientOrderId, orderId, signed, path, fields, httpStatus, reply, receivedText, error } = exchange
  return {
    clientOrderId,
    orderId,
    signed,
    sent: { path, fields: Object.fromEntries(fields) },
    answered: { httpStatus, fields: reply, text: receivedText },
    error,
  }
}
