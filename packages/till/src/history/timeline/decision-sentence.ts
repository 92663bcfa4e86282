import { quote, stageNames } from '@tillkit/protocol'
import { endings, nameOf, requestInWords, theOf } from '../names.js'
import type { EntryOf } from './entry.js'

type Decided = Omit<EntryOf<'decided'>, 'text'>

/** Who decided what, and why. */
export function decided({ who, why, first, proposal, ...entry }: Decided): string {
  const said = first === undefined ? '' : ` ${first.who} had said the same before: ${quote(first.why)}.`
  const reason = ` The reason given: ${quote(why)}.`
  const [verb, follows] =
    proposal === undefined
      ? ['decided', '']
      : proposal === 'open'
        ? ['said', ' Nothing is done until another person says the same.']
        : ['said', ' Nothing was done: somebody said otherwise since.']
  return `${who} ${verb} that ${matterOf(entry)}.${follows}${reason}${said}`
}

/** The decision, after "decided that". */
function matterOf({ matter, before }: Pick<Decided, 'matter' | 'before'>): string {
  const name = nameOf(matter)
  switch (matter.kind) {
    case 'failed':
      return `${theOf(requestInWords(matter))} of ${name} did nothing`
    case 'arrived':
      return `the gateway has ${theOf(requestInWords(matter))} of ${name}`
    case 'settled': {
      const words = before === undefined ? [] : [before.status, ...before.corrections.map(({ to }) => to)]
      const had = words.length === 0 ? '' : `; the gateway had said ${words.map(quote).join(', then ')}`
      const money = matter.amount === undefined ? '' : ` over ${matter.amount}`
      return `the ${stageNames[matter.stage]} of ${name}${money} ${endings[matter.outcome](matter.outcome)}${had}`
    }
    case 'give-back':
      return `the money of ${name} is given back`
    case 'abandon':
      return `no customer is to pay ${name} any more`
    case 'noted':
      return `no more can be known of what callbacks said of ${name}`
    case 'dismissed':
      return `the gateway has nothing of what callbacks said of ${name}`
    case 'skip':
      return `the handler need not be told of the ${stageNames[matter.stage]} of ${name}`
    default:
      return matter satisfies never
  }
}
