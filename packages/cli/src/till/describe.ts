import { operationInWords, stageNames } from '@tillkit/protocol'
import type { ChangeUnderWay, Payment, PaymentOrder, PaymentQuestion, TimelineEntry, UntoldStage } from '@tillkit/till'
import type { Paint } from '../command-line/wrap.js'
import { inShell, printable, wrap } from '../command-line/wrap.js'

/** How text is laid out. */
export interface Layout {
  readonly paint: Paint
  readonly columns: number
}

/** A moment, in UTC. */
export const time = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19)

const colours = {
  paid: 'good',
  held: 'good',
  verified: 'good',
  sent: 'good',
  declined: 'bad',
  disputed: 'bad',
  surplus: 'bad',
} as const

/** Breaks a line; what follows stands so far to the right. */
export const hanging = (line: string, { columns }: Layout, indent: number): readonly string[] =>
  wrap(printable(line), columns - indent).map((each, at) => `${' '.repeat(at === 0 ? 0 : indent)}${each}`)

/** How a payment is laid out. */
interface PaymentLayout extends Layout {
  /** Options that name the till, for the next command. */
  readonly same: string
  /** Options that name the account, for the next command. */
  readonly account: string
  /** The name of its till, where a person does not know it. */
  readonly till: string | undefined
}

/** Writes a payment, what happened to it, and what a person has to decide. */
export function describePayment(
  payment: Payment,
  questions: readonly PaymentQuestion[],
  layout: PaymentLayout,
): string {
  const { reference, state, amount, currency, allowed, orders, needsPerson, timeline, underWay, untold } = payment
  const colour = Object.hasOwn(colours, state) ? colours[state as 'paid'] : 'unsure'
  const money = amount === undefined ? '' : `, ${amount} ${currency ?? ''}`.trimEnd()
  const possible = [
    ...(allowed.capture ? ['capture'] : []),
    ...(allowed.void ? ['void'] : []),
    ...(allowed.return === undefined ? [] : ['return']),
  ]
  return [
    `${printable(reference)}: ${layout.paint(colour, state)}${money}`,
    ...(layout.till === undefined ? [] : hanging(`  Till      ${layout.till}`, layout, 12)),
    ...describeTotals(payment, layout),
    ...(possible.length === 0 ? [] : [`  Possible  ${possible.join(', ')}`]),
    ...underWay.flatMap(each => hanging(`  Under way ${changeInWords(each)}. ${howItEnds(each)}`, layout, 12)),
    ...untold.flatMap(each => hanging(`  Not told  ${untoldInWords(each)}. ${whoTells}`, layout, 12)),
    ...(needsPerson === undefined ? [] : hanging(`  A person  ${needsPerson}`, layout, 12)),
    ...orders.flatMap(({ clientOrderId, orderId, standing, reason }) =>
      hanging(
        `  Order     ${clientOrderId}${orderId === undefined ? '' : `, at the gateway ${orderId}`}: ` +
          `${standingInWords(standing)}${reason?.message === undefined ? '' : `, ${reason.message}`}`,
        layout,
        12,
      ),
    ),
    ...(timeline.length === 0 ? [] : ['', 'What happened (UTC):', ...timeline.flatMap(each => entry(each, layout))]),
    ...questions.flatMap(each => ['', ...describeQuestion({ reference, question: each, questions }, layout)]),
    '',
  ].join('\n')
}

/** The sums, or why they would be a guess and what to do then. */
function describeTotals(
  { totals, uncertain, orders, underWay, needsPerson, allowed }: Payment,
  layout: PaymentLayout,
): readonly string[] {
  if (totals !== undefined) return hanging(`  Totals    ${totalsInWords(totals)}`, layout, 12)
  if (uncertain === undefined) return []
  const withMoney = orders.filter(({ standing }) => standing === 'approved' || standing === 'returned')
  const asks = withMoney.map(({ clientOrderId, orderId }) => {
    const id = orderId === undefined ? '' : ` --order-id ${inShell(orderId)}`
    return `            ${layout.paint('dim', `tillkit status ${inShell(clientOrderId)}${id}${layout.account}`)}`
  })
  const isAllowed = allowed.capture || allowed.void || allowed.return !== undefined
  const next = (text: string) => hanging(`  Next      ${text}`, layout, 12)
  const said = hanging(`  Totals    not certain. ${uncertain}`, layout, 12)
  if (needsPerson !== undefined && !isAllowed)
    return [...said, ...next('Decide first what is asked below: until then nothing else is sent.')]
  if (needsPerson !== undefined) return [...said, ...next('Decide first what is asked below.')]
  if (underWay.length > 0)
    return [...said, ...next('Wait until nothing is under way: until then nothing else is sent.')]
  const where = 'Return a part here, with --amount and --key, or where that is refused at those screens.'
  return [...said, ...next(`Compare with the gateway’s screens. ${where} Status says:`), ...asks]
}

/** A standing, where its word alone says too little. */
const standings: Partial<Record<PaymentOrder['standing'], string>> = {
  nothing: 'nothing of it was sent',
  abandoned: 'the payment went on without it',
  sending: 'being sent',
  unknown: 'not answered',
}

const standingInWords = (standing: PaymentOrder['standing']): string => standings[standing] ?? standing

const states = { sending: 'being sent', sent: 'the gateway has it', unknown: 'not answered' } as const

/** A request and its amount, such as `return of 3.00 EUR`. */
export function requestNamed({
  operation,
  amount,
  currency = '',
}: Pick<ChangeUnderWay, 'operation' | 'amount' | 'currency'>): string {
  const name = operationInWords(operation).replace(article, '')
  if (amount !== undefined) return `${name} of ${amount} ${currency}`.trimEnd()
  return /^(?:capture|return|void)$/.test(operation) ? `${name} of the whole` : name
}

const article = /^(?:an?|the) /

/** A change that has not ended. */
export const changeInWords = (change: ChangeUnderWay): string => `${requestNamed(change)}, ${states[change.state]}`

export const howItEnds = ({ state }: Pick<ChangeUnderWay, 'state'>): string =>
  state === 'unknown'
    ? 'If status shows it, a process of the shop finds out; else a person decides after a day.'
    : 'It ends once status shows how: a process of the shop asks by itself.'

/** Names what the handler was not told yet. */
export const untoldInWords = ({ stage, status, amount, currency = '' }: UntoldStage): string =>
  `${stageNames[stage]}${amount === undefined ? '' : ` of ${amount} ${currency}`.trimEnd()}, ${status}`

export const whoTells = 'A process of the shop tells its handler: is one running?'

const totalsInWords = (totals: object): string =>
  Object.entries(totals)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')

function entry({ at, text }: TimelineEntry, layout: Layout): readonly string[] {
  const when = at === undefined ? ' '.repeat(19) : time(at)
  return wrap(printable(text), layout.columns - 23).map(
    (line, nth) => `  ${nth === 0 ? layout.paint('dim', when) : ' '.repeat(19)}  ${line}`,
  )
}

interface Asked {
  readonly reference: string
  readonly question: PaymentQuestion
  readonly questions: readonly PaymentQuestion[]
}

/** A question, and the commands that answer it. */
function describeQuestion({ reference, question, questions }: Asked, layout: PaymentLayout): readonly string[] {
  const decide = (...words: string[]) =>
    `  ${['tillkit decide', inShell(reference), ...words].filter(word => word !== '').join(' ')}${layout.same} --who … --why …`
  const ask = (text: string) => hanging(`To decide: ${text}`, layout, 0)
  const isAlone = question.order === reference && questions.every(({ order }) => order === reference)
  const order = isAlone ? '' : `--order ${inShell(question.order)}`
  switch (question.kind) {
    case 'unknown': {
      const isOnly = questions.filter(({ kind }) => kind === question.kind).length === 1
      const request = isOnly ? '' : `--request ${question.request}`
      const what = `${requestNamed(question)}, sent at ${time(question.since)}`
      return [
        ...ask(
          `the ${what}, of order ${question.order}, was not answered. Ask the gateway. If it did nothing, or if the gateway has it:`,
        ),
        decide('failed', order, request),
        decide('arrived', order, request, question.effect === 'changes' ? '--serial-number …' : '--order-id …'),
      ]
    }
    case 'disputed': {
      const { stage, serialNumber, amounts } = question
      const alike = questions.filter(each => each.kind === 'disputed' && each.stage === stage)
      const which = alike.length === 1 || serialNumber === undefined ? '' : `--serial-number ${inShell(serialNumber)}`
      // Where the amount is in doubt it has to be named, and nowhere does it harm.
      const [only] = amounts.length === 1 ? amounts : []
      const amount = amounts.length > 0 ? `--amount ${only === undefined ? '…' : inShell(only)}` : ''
      return [
        ...ask(`${question.explanation} Ask the gateway what is so:`),
        decide('settled', order, `--stage ${stage}`, which, '--outcome …', amount),
      ]
    }
    case 'surplus':
      return [
        ...ask(`${question.order} brought money, and is not the only one. To give it back:`),
        decide('give-back', `--order ${inShell(question.order)}`),
      ]
    case 'open-order':
      return [
        ...ask(
          `order ${question.order}, asked for at ${time(question.since)}, has not ended. ` +
            'If no customer is to pay it any more, and another one may be opened beside it:',
        ),
        decide('abandon', order),
      ]
    case 'incomplete':
      return ask(
        `status shows the ${stageNames[question.stage]} of order ${question.order}, and not how the ${requestNamed(question)} ended. ` +
          'Look up the serial numbers of its requests at the gateway. A program of the shop takes them up with till.adopt.',
      )
    case 'not-shown': {
      const said = question.callbacks.map(({ stage, status, amount }) =>
        [stage === undefined ? 'a movement' : stageNames[stage], amount, status].filter(each => each !== undefined),
      )
      return [
        ...ask(
          `a callback of order ${question.order} said: ${said.map(each => each.join(', ')).join('; ')}. Status did not show that. ` +
            'Look the order up at the gateway. A program of the shop takes it up with till.adopt and the serial numbers of its requests. ' +
            'If the gateway gives no serial numbers: noted. If it has nothing of it: dismissed.',
        ),
        decide('noted', order),
        decide('dismissed', order),
      ]
    }
    case 'failing':
      return [
        ...ask(`your handler failed ${question.tries} times: ${question.error}. If it counts as told:`),
        decide('skip', `--outcome ${inShell(question.outcome)}`),
      ]
  }
}
