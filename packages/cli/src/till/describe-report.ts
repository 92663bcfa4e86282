import type { Payment, TillReport } from '@tillkit/till'
import { inShell, wrap } from '../command-line/wrap.js'
import { writeDuration } from '../gateway/dashboard/look/duration.js'
import {
  changeInWords,
  hanging,
  howItEnds,
  type Layout,
  requestNamed,
  time,
  untoldInWords,
  whoTells,
} from './describe.js'

const headings = {
  surplus: 'Two orders brought money: give one back',
  needsPerson: 'A person must decide',
  failing: 'Your handler fails',
  unknown: 'Requests were not answered',
  unmatched: 'Callbacks of orders that were not sent from here',
} as const

const lists = Object.keys(headings) as (keyof typeof headings)[]

/** How long a process of the shop may take to tell its handler, in milliseconds. */
const longestUntold = 600_000

const isToldLate = ({ untold }: TillReport, now: number): boolean =>
  untold.items.some(({ since }) => now - since > longestUntold)

/** Whether somebody has to act. @param now Milliseconds since the epoch. */
export const needsAttention = (report: TillReport, now: number): boolean =>
  lists.some(list => report[list].total > 0) || report.unreadable.length > 0 || isToldLate(report, now)

/** How a report is laid out. */
interface ReportLayout extends Layout {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Options that name the store, for the next command. */
  readonly same: string
  /** What a command has to name besides that asks the gateway. */
  readonly unnamed: string
  /** Options that name the account, for the next command. */
  readonly account: string
}

/** Writes what needs attention, the most important first: how much money, how old, and what to type next. */
export function describeReport(report: TillReport, layout: ReportLayout): string {
  const { now, same, unnamed, account } = layout
  const old = (at: number | undefined) => (at === undefined ? '' : `, ${writeDuration(now - at)} old`)
  const about = ({ reference, amount, currency, timeline }: Payment, since = timeline[0]?.at) =>
    `${reference}: ${amount === undefined ? 'amount not known' : `${amount} ${currency ?? ''}`.trimEnd()}${old(since)}`
  const show = (reference: string) => `tillkit payment ${inShell(reference)}${same}`
  const decide = (reference: string, words: string) =>
    `tillkit decide ${inShell(reference)} ${words}${same}${unnamed} --who … --why …`
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
    unknown: report.unknown.items.map(({ reference, since, requests, payment: { currency } }) => ({
      said: `${reference}: ${requests.map(each => requestNamed({ ...each, currency })).join('; ')}${old(since)}`,
      next: show(reference),
    })),
    unmatched: report.unmatched.items.map(({ clientOrderId, orderId, login, statuses, at }) => ({
      said:
        `order ${clientOrderId} of account ${login}${orderId === undefined ? '' : `, at the gateway ${orderId}`}: ` +
        `a callback ${statuses.length === 0 ? 'came' : `said ${statuses.join(', then ')}`} on ${time(at)} UTC`,
      next: `tillkit status ${inShell(clientOrderId)}${orderId === undefined ? '' : ` --order-id ${inShell(orderId)}`}${account}`,
    })),
  }
  const parts = lists.flatMap(list => {
    const { total, next } = report[list]
    if (total === 0) return []
    const more = next === undefined ? [] : [`  and ${total - lines[list].length} more`]
    return [
      layout.paint('bad', `${headings[list]}: ${total}`),
      ...lines[list].flatMap(each => describeLine(each, layout)),
      ...more,
      ...(list === 'unmatched' ? wrap(`  ${whatUnmatchedMeans}`, layout.columns) : []),
      '',
    ]
  })
  const { open, forms, untold, unreadable } = report
  const bad = (heading: string) => wrap(heading, layout.columns).map(line => layout.paint('bad', line))
  const waiting = (
    heading: readonly string[],
    items: TillReport['untold']['items'],
    what: (payment: Payment) => string,
  ) =>
    items.length === 0
      ? []
      : [
          ...heading,
          ...items.flatMap(({ reference, since, payment }) => {
            const doubt = payment.uncertain === undefined ? '' : `. Totals are not certain: ${payment.uncertain}`
            return hanging(`  ${reference}: ${what(payment)}${old(since)}${doubt}`, layout, 4)
          }),
          '',
        ]
  const oldest = (at: number | undefined) => (at === undefined ? '' : `, the oldest ${writeDuration(now - at)} old`)
  const notTold = `Not told yet: ${untold.total}. ${whoTells}`
  return [
    ...(needsAttention(report, now) ? parts : [layout.paint('good', 'Nothing needs attention.'), '']),
    ...waiting(isToldLate(report, now) ? bad(notTold) : wrap(notTold, layout.columns), untold.items, payment =>
      payment.untold.map(untoldInWords).join('; '),
    ),
    ...(unreadable.length === 0
      ? []
      : [
          ...bad(`Documents that cannot be read here: ${unreadable.length}. ${whyUnreadable}`),
          ...unreadable.flatMap(key => hanging(`  ${key}`, layout, 4)),
          '',
        ]),
    ...waiting(
      wrap(`Under way. ${howItEnds({ state: 'sent' }).replace('It ends', 'Each ends')}`, layout.columns),
      open.items,
      ({ underWay }) => underWay.map(changeInWords).join('; '),
    ),
    `Open at the gateway: ${open.total}${oldest(open.since)}`,
    `Forms of customers: ${forms.total}${oldest(forms.since)}`,
    '',
  ].join('\n')
}

const whatUnmatchedMeans =
  'Status says whether the gateway has such an order. ' +
  'If it does, somebody made it at the gateway’s screens or with another system, ' +
  'or the shop has another store or till name than the one that it was sent from. ' +
  'An order leaves this list once a program of the shop takes it up with till.adopt, and in no other way: ' +
  'until then this command ends with 1.'

const whyUnreadable =
  'A newer release of the till wrote them, or something else changed them. ' +
  'Until they can be read, nothing is sent or told about their payments.'

/** A payment or an order in words, and the command to type next. */
interface Line {
  readonly said: string
  readonly next: string
}

/** The command stands in one line, however long it is: it is to be copied. */
const describeLine = ({ said, next }: Line, layout: Layout): readonly string[] => [
  ...hanging(`  ${said}`, layout, 4),
  `    ${layout.paint('dim', next)}`,
]
