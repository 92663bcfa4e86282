import type { ChangeUnderWay, Payment, PaymentQuestion, TimelineEntry, UntoldStage } from '@tillkit/protocol'
import type { TillReport } from '@tillkit/till'
import type { Paint } from '../command-line/colours.js'
import { inShell, printable, wrap } from '../command-line/wrap.js'

/** How text is laid out. */
interface Layout {
  readonly paint: Paint
  readonly columns: number
}

const time = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19)

const colours = {
  paid: 'good',
  held: 'good',
  verified: 'good',
  sent: 'good',
  declined: 'bad',
  disputed: 'bad',
  surplus: 'bad',
} as const

const hanging = (line: string, { columns }: Layout, indent: number): readonly string[] =>
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
    ...underWay.flatMap(each => hanging(`  Under way ${changeInWords(each)}. ${howItEnds}`, layout, 12)),
    ...untold.flatMap(each => hanging(`  Not told  ${untoldInWords(each)}. ${whoTells}`, layout, 12)),
    ...(needsPerson === undefined ? [] : hanging(`  A person  ${needsPerson}`, layout, 12)),
    ...orders.flatMap(({ clientOrderId, orderId, standing, reason }) =>
      hanging(
        `  Order     ${clientOrderId}${orderId === undefined ? '' : `, at the gateway ${orderId}`}: ${standing}${reason?.message === undefined ? '' : `, ${reason.message}`}`,
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
function describeTotals({ totals, uncertain, orders }: Payment, layout: PaymentLayout): readonly string[] {
  if (totals !== undefined) return hanging(`  Totals    ${totalsInWords(totals)}`, layout, 12)
  if (uncertain === undefined) return []
  const asks = orders.map(({ clientOrderId, orderId }) => {
    const id = orderId === undefined ? '' : ` --order-id ${inShell(orderId)}`
    return `            ${layout.paint('dim', `tillkit status ${inShell(clientOrderId)}${id}${layout.account}`)}`
  })
  return [
    ...hanging(`  Totals    not certain. ${uncertain}`, layout, 12),
    ...hanging(
      '  Next      Look at the gateway’s screens, and return there what is to be returned. Status says:',
      layout,
      12,
    ),
    ...asks,
  ]
}

const states = { sending: 'being sent', sent: 'the gateway has it', unknown: 'not answered' } as const

const changeInWords = ({ operation, amount, currency = '', state }: ChangeUnderWay): string =>
  `${operation} of ${amount === undefined ? 'the whole' : `${amount} ${currency}`.trimEnd()}, ${states[state]}`

const howItEnds = 'It ends once status shows how: a process of the shop asks by itself.'

const untoldInWords = ({ stage, status, amount, currency = '' }: UntoldStage): string =>
  `${stage}${amount === undefined ? '' : ` of ${amount} ${currency}`.trimEnd()}, ${status}`

const whoTells = 'A process of the shop tells its handler: is one running?'

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
  const order = question.order === reference ? '' : `--order ${inShell(question.order)}`
  switch (question.kind) {
    case 'unknown': {
      const isOnly = questions.filter(({ kind }) => kind === question.kind).length === 1
      const request = isOnly ? '' : `--request ${question.request}`
      const when = `sent at ${time(question.since)}`
      return [
        ...ask(
          `the ${question.operation} of ${question.order}, ${when}, was not answered. Ask the gateway. If it did nothing, or if the gateway has it:`,
        ),
        decide('failed', order, request),
        decide('arrived', order, request, '--order-id …'),
      ]
    }
    case 'disputed':
      return [
        ...ask(`${question.explanation} Ask the gateway what is so:`),
        decide('settled', order, `--stage ${question.stage}`, '--outcome …'),
      ]
    case 'surplus':
      return [
        ...ask(`${question.order} brought money, and is not the only one. To give it back:`),
        decide('give-back', `--order ${inShell(question.order)}`),
      ]
    case 'failing':
      return [
        ...ask(`your handler failed ${question.tries} times: ${question.error}. If it counts as told:`),
        decide('skip', `--outcome ${inShell(question.outcome)}`),
      ]
  }
}

const headings = {
  surplus: 'Two orders brought money: give one back',
  needsPerson: 'A person must decide',
  failing: 'Your handler fails',
  unknown: 'Requests were not answered',
  unmatched: 'Callbacks of orders that nobody here sent',
} as const

/** How a report is laid out. */
interface ReportLayout extends Layout {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Options that name the store, for the next command. */
  readonly same: string
}

/** Writes what needs attention, the most important first: how much money, how old, and what to type next. */
export function describeReport(report: TillReport, layout: ReportLayout): string {
  const { now, same } = layout
  const old = (at: number | undefined) => (at === undefined ? '' : `, ${age(now - at)} old`)
  const about = ({ reference, amount, currency, timeline }: Payment, since = timeline[0]?.at) =>
    `${reference}: ${amount === undefined ? 'amount not known' : `${amount} ${currency ?? ''}`.trimEnd()}${old(since)}`
  const show = (reference: string) => `tillkit payment ${inShell(reference)}${same}`
  const decide = (reference: string, words: string) =>
    `tillkit decide ${inShell(reference)} ${words}${same} --who … --why …`
  const lines: Readonly<Record<keyof typeof headings, readonly Line[]>> = {
    surplus: report.surplus.items.map(({ reference, orders, payment }) => ({
      said: `${about(payment)}: ${orders.map(({ clientOrderId }) => clientOrderId).join(' and ')}`,
      next: decide(reference, `give-back --order ${inShell(orders.at(-1)?.clientOrderId ?? '')}`),
    })),
    needsPerson: report.needsPerson.items.map(({ reference, why, payment }) => ({
      said: `${about(payment)}: ${why}`,
      next: show(reference),
    })),
    failing: report.failing.items.map(({ reference, outcome, tries, error, payment }) => ({
      said: `${about(payment)}: ${outcome}, ${tries} times: ${error}`,
      next: decide(reference, `skip --outcome ${inShell(outcome)}`),
    })),
    unknown: report.unknown.items.map(({ reference, since, payment }) => ({
      said: about(payment, since),
      next: show(reference),
    })),
    unmatched: report.unmatched.items.map(each => ({ said: JSON.stringify(each), next: undefined })),
  }
  const parts = (Object.keys(headings) as (keyof typeof headings)[]).flatMap(list => {
    const { total, next } = report[list]
    if (total === 0) return []
    const more = next === undefined ? [] : [`  and ${total - lines[list].length} more`]
    return [
      layout.paint('bad', `${headings[list]}: ${total}`),
      ...lines[list].flatMap(each => describeLine(each, layout)),
      ...more,
      '',
    ]
  })
  const { open, forms, untold, unreadable } = report
  const waiting = (heading: string, items: TillReport['untold']['items'], what: (payment: Payment) => string) =>
    items.length === 0
      ? []
      : [
          ...wrap(heading, layout.columns),
          ...items.flatMap(({ reference, since, payment }) => {
            const doubt = payment.uncertain === undefined ? '' : `. Totals are not certain: ${payment.uncertain}`
            return hanging(`  ${reference}: ${what(payment)}${old(since)}${doubt}`, layout, 4)
          }),
          '',
        ]
  const oldest = (at: number | undefined) => (at === undefined ? '' : `, the oldest ${age(now - at)} old`)
  return [
    ...(parts.length === 0 ? [layout.paint('good', 'Nothing needs attention.'), ''] : parts),
    ...waiting(`Under way. ${howItEnds.replace('It ends', 'Each ends')}`, open.items, ({ underWay }) =>
      underWay.map(changeInWords).join('; '),
    ),
    ...waiting(`Not told yet: ${untold.total}. ${whoTells}`, untold.items, payment =>
      payment.untold.map(untoldInWords).join('; '),
    ),
    `Open at the gateway: ${open.total}${oldest(open.since)}`,
    `Forms of customers: ${forms.total}${oldest(forms.since)}`,
    ...(unreadable.length === 0 ? [] : [`Not readable by this release: ${unreadable.length}`]),
    '',
  ].join('\n')
}

/** A payment in words, and the command to type next. */
interface Line {
  readonly said: string
  readonly next: string | undefined
}

/** The command stands in one line, however long it is: it is to be copied. */
const describeLine = ({ said, next }: Line, layout: Layout): readonly string[] => [
  ...hanging(`  ${said}`, layout, 4),
  ...(next === undefined ? [] : [`    ${layout.paint('dim', next)}`]),
]

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A span of time in its largest unit, rounded down. */
function age(milliseconds: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(milliseconds / length)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'less than a minute'
}
