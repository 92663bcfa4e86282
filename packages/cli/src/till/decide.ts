import { describeValue, nearName } from '@tillkit/protocol'
import type { DecisionRequest, DecisionResult } from '@tillkit/till'
import { type CommandLine, json, type OptionsOf, option } from '../command-line/command.js'
import type { Ending } from '../command-line/exit-codes.js'
import { withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { forCommand, inOptions } from '../command-line/words.js'
import { columnsOf, inShell, printable, wrapText } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'
import { missingOf, personOf, personOptions } from './person.js'
import { sameTill, type TillOptions, tillOptions, withTill } from './with-till.js'

/** The fields of a decision. */
const decisionOptions = () => [
  ...personOptions('decides'),
  option('--order <id>', 'Your own id of the order that it is about.'),
  option('--request <id>', 'The request, where several were not answered.'),
  option('--order-id <id>', 'The gateway’s id of an order that arrived.'),
  option('--serial-number <id>', 'The gateway’s id of a request that arrived or is settled.'),
  option('--stage <name>', 'The stage that is settled, such as sale.'),
  option('--outcome <word>', 'approved, declined, filtered or error; of skip, the key of the outcome.'),
  option('--amount <amount>', 'The amount that is so, where that is what differs.'),
]

type DecideOptions = OptionsOf<ReturnType<typeof decisionOptions>>

const kinds = ['failed', 'arrived', 'settled', 'give-back', 'abandon', 'noted', 'dismissed', 'skip'] as const

const whatItDoes =
  'Writes down what a person decides about a payment. "tillkit payment <reference>" says what there is to decide. ' +
  'Ask the gateway first; where status can tell, the till asks it too, and refuses what it shows otherwise.'

/** `tillkit decide`: what no machine can know. */
export function addDecide(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'decide <reference> [decision]',
    {
      summary: 'Writes down what a person decides about a payment of a till.',
      usage: '<reference> <decision> --who … --why … [options]',
      does: `${whatItDoes}

  failed        a request that was not answered did nothing
  arrived       the gateway has it, under --order-id or --serial-number
  settled       of what the gateway contradicts itself about, --outcome is so
  give-back     of two orders that brought money, --order goes back
  abandon       no customer is to pay the open --order any more
  noted         what callbacks of the --order said may be so, and no more is known
  dismissed     the gateway has nothing of what callbacks of the --order said
  skip          the --outcome that your handler fails at counts as told

give-back sends a request to the gateway. Your handler is not called here: a process of the shop tells it.`,
      examples: [
        'tillkit decide basket-7 failed --store shop.db \\\n  --settings shop.env --who ada \\\n' +
          "  --why 'ticket 4711: the gateway has no such order'",
        "tillkit decide basket-7 arrived --order-id 1815162342 \\\n  --who ada --why 'ticket 4712'",
      ],
      ends: {
        done: 'It is written down.',
        failed: 'It was refused: the explanation says why.',
        usage: undefined,
        processing: 'Another person has to say the same.',
        interrupted: undefined,
      },
    },
    [...decisionOptions(), json('what became of it'), ...tillOptions()],
  )
  command.runs(async (options, reference = '', decision = undefined) => {
    const wanted = readDecision(decision, options)
    return withTill(options, surroundings, async (till, { find }) => {
      const asked = () => till.decide(reference, wanted).catch(refuse)
      const result = await withProgress(surroundings, 'Asking the gateway', asked, () => left(reference, options))
      if (result.kind === 'refused') await find(reference)
      surroundings.say(options.json === true ? `${JSON.stringify(result)}\n` : describe(result, surroundings))
      return endings[result.kind]
    })
  })
}

const endings: Readonly<Record<DecisionResult['kind'], Ending>> = {
  done: 'done',
  refused: 'failed',
  'needs-second-person': 'processing',
}

/** Calls the fields of a decision by their options. @throws What is wrong. */
function refuse(error: unknown): never {
  if (!(error instanceof TypeError)) throw error
  const message = inOptions(error.message, decisionOptions(), name => `"${name}"`)
  throw new UsageError(message, { cause: error })
}

const left = (reference: string, options: TillOptions): string =>
  `The decision may be written down: "tillkit payment ${inShell(reference)}${sameTill(options)}" shows it. ` +
  'Deciding the same again changes nothing.'

function readDecision(kind: string | undefined, options: DecideOptions): DecisionRequest {
  const known = kinds.find(each => each === kind)
  if (known === undefined) {
    const near = kind === undefined ? undefined : nearName(kind, kinds)
    const hint = near === undefined ? `There are: ${kinds.join(', ')}.` : `Did you mean ${near}?`
    const question = kind === undefined ? 'Which decision?' : `There is no decision ${describeValue(kind)}.`
    const missing = missingOf(options)
    throw new UsageError(`${question} ${hint}${missing === undefined ? '' : ` ${missing} too.`}`)
  }
  const { order, request, orderId, serialNumber, stage, outcome, amount } = options
  const fields = { order, request, orderId, serialNumber, stage, outcome, amount }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  // The till checks which fields a decision has, and says so.
  return { kind: known, ...personOf(options), ...given } as DecisionRequest
}

function describe(result: DecisionResult, surroundings: Surroundings): string {
  return `${wrapText(printable(sentenceOf(result)), columnsOf(surroundings.terminal))}\n`
}

function sentenceOf(result: DecisionResult): string {
  switch (result.kind) {
    case 'done':
      return `${result.again ? 'It was decided so before' : 'Written down'}. The payment is ${result.payment.state} now.`
    case 'needs-second-person':
      return `${result.first.who} said so. Nothing is done until another person says the same.`
    case 'refused':
      return `Refused: ${forCommand(result.explanation)} The payment is ${result.payment.state}.`
  }
}
