import { quote, type StageName, stageNames, type WireProfile } from '@tillkit/protocol'
import { disputeOf } from '../../rules/orders/dispute.js'
import { isReleased } from '../../rules/orders/reserve.js'
import { bringsMoney } from '../../rules/orders/totals.js'
import type { PaymentDocument } from '../../state/document.js'
import { type KnownAttempt, type KnownOrder, type KnownStage, wordsOf } from '../../state/known.js'
import { isApprovedLate, latestOutcome, placesOf } from '../../state/late-approval.js'
import { endingOf, endings, keyOf, moneyOf, nameOf, overMoney, requestInWords, saidInWords, theOf } from '../names.js'
import { decided } from './decision-sentence.js'
import type { Happening } from './entry.js'

type Of<Kind extends Happening['kind']> = Extract<Happening, { readonly kind: Kind }>

/** The facts of which sentences are made, besides the entry. */
interface Told {
  /** The payment when that happened. */
  readonly document: PaymentDocument
  /** The payment as it is. */
  readonly now: PaymentDocument
  readonly profile: WireProfile
}

/** The facts of which sentences about an order are made. */
interface Scene extends Told {
  readonly order: KnownOrder | undefined
  /** Which order it is about, where the payment has several. */
  readonly ofWhich: string
}

/** One sentence for people, or two: who did what, and why where that was decided. */
export function sentenceOf(entry: Happening, told: Told): string {
  const order = told.document.orders[entry.order - 1]
  const scene = { ...told, order, ofWhich: told.now.orders.length > 1 ? ` of ${nameOf(entry)}` : '' }
  const sentence = sentences[entry.kind] as (entry: Happening, scene: Scene) => string
  return sentence(entry, scene)
}

const leftBecause: { readonly [Why in Of<'abandoned'>['why']]: string } = {
  'no-address': 'the address of its form was lost, so that no customer can have it.',
  replaced: 'the merchant asked for another form and allows that one to be replaced. It can still be paid.',
  expired: 'the merchant asked for another amount, and the time of its form is over.',
  'by-person': 'a person gave it up. It can still be paid.',
}

const sentences: { readonly [Kind in Happening['kind']]: (entry: Of<Kind>, scene: Scene) => string } = {
  opened,
  requested,
  answered,
  'never-seen': ({ at }) =>
    at === undefined
      ? 'Status does not know the order. That proves nothing yet: the request may still have been on its way.'
      : 'Status does not know the order, although nothing of the request was on its way any more. ' +
        'The till asks once more before it believes that.',
  overdue: (entry, scene) =>
    `Every wait for the answer to ${theRequest(entry, scene)} is over, and no process wrote down how it ended. ` +
    'The till finds out by status.',
  status: stated,
  corrected,
  restated: (entry, scene) =>
    `The gateway named other money for the ${stageOf(entry, scene)}: ${moneyOf(entry)}. A person must ask the gateway which is so.`,
  settled: (entry, scene) =>
    `So the till goes by it that the ${stageOf(entry, scene)}${overMoney(entry)} ${endings[entry.outcome ?? 'other']('not over')}.`,
  callback: () => 'The gateway called back with the right key. The till asks status next.',
  'not-shown': (entry, { ofWhich, profile }) =>
    `A callback with the right key said that ${saidInWords(entry, ofWhich, profile)}. Status did not show that within an hour: ` +
    'a person must look it up at the gateway.',
  'three-d-secure': secured,
  delivery,
  delivered,
  'follow-up': followUp,
  decided,
  abandoned: entry =>
    `The till went on without ${nameOf(entry)}: ${leftBecause[entry.why]} The till goes on watching it.`,
  full: entry =>
    `The gateway said more of ${nameOf(entry)} than the store has room for. A person must ask the gateway how it stands.`,
  purged: () => 'The payment was over long ago. The store deleted all of it but its ids.',
}

function opened({ why, login, order, ...entry }: Of<'opened'>, { document }: Told): string {
  const name = nameOf(entry)
  if (why === 'elsewhere') return `The gateway knows ${name} of account ${login}, and no request in the store made it.`
  const { [order - 2]: before } = document.orders
  const earlier = nameOf({ clientOrderId: before?.clientOrderId ?? '' })
  const reasons = {
    failed: `, since ${earlier} had failed`,
    released: `, since the hold of ${earlier} had been released`,
    abandoned: `, since it had gone on without ${earlier}`,
  } as const
  return `The till opened ${name} with account ${login}${why === undefined || why === 'first' ? '' : reasons[why]}.`
}

function requested(entry: Of<'requested'>, scene: Scene): string {
  const attempt = requestOf(entry, scene)
  const what = requestInWords(attempt ?? entry)
  // That it was adopted is known once it has been taken up.
  if (scene.now.orders[entry.order - 1]?.adoptedAt !== undefined && attempt?.effect === 'creates')
    return `Somebody else asked the gateway for ${what}. The till took up what status says of it.`
  return `The till was about to ask the gateway for ${what}${changed(attempt, scene)}.${before(attempt)}${by(entry)}`
}

/** The request that an entry is about, where it is kept. */
const requestOf = ({ request }: { readonly request: string }, { order }: Scene): KnownAttempt | undefined =>
  order?.attempts.find(each => each.reservation === request)

/** A request that opens an order stands beside the order; a change names it. */
const changed = (attempt: KnownAttempt | undefined, { ofWhich }: Scene): string =>
  attempt?.effect === 'changes' ? ofWhich : ''

const by = ({ person }: Of<'requested'>): string =>
  person === undefined ? '' : ` ${person.who} wanted it: ${quote(person.why)}.`

function before(attempt: KnownAttempt | undefined): string {
  if (attempt?.baseline === undefined) return ''
  const { stage, status, outcome } = attempt.baseline
  const what = stage === undefined ? 'the order' : `the ${stageNames[stage]}`
  return ` Just before, status said that ${what} ${endings[outcome ?? 'other'](status)}.`
}

/** Such as `the return over 3.00 EUR`. */
function theRequest(entry: { readonly request: string }, scene: Scene): string {
  const attempt = requestOf(entry, scene)
  return attempt === undefined ? 'the request' : `${theOf(requestInWords(attempt))}${changed(attempt, scene)}`
}

function answered(entry: Of<'answered'>, scene: Scene): string {
  const { ended, basis, note, orderId, foreignStatus } = entry
  const [attempt, what] = [requestOf(entry, scene), theRequest(entry, scene)]
  // The decision beside it says who found that out, and why.
  if (isOfDecision(entry, scene))
    return ended === 'accepted'
      ? `So the till goes by it that the gateway has ${what}, and asks status.`
      : `So the till goes by it that ${what} did nothing: the same may be asked for again.`
  const as = orderId === undefined || attempt?.effect === 'changes' ? '' : ` as its order ${orderId}`
  const reason = note === undefined ? '' : ` The reason given: ${quote(note)}.`
  const took = attempt?.end?.redirectUrl === undefined ? 'accepted' : 'opened'
  const did: { readonly [Ended in typeof ended]: string } = {
    accepted: `the gateway ${took} ${what}${as}`,
    refused: `the gateway refused ${what} and did nothing`,
    'not-sent': `the till did not send ${what}`,
    'no-trace': `the gateway never got ${what}`,
    unknown:
      foreignStatus === undefined
        ? `the gateway did not answer when the till asked for ${what}`
        : `the till asked for ${what}, and was answered with HTTP ${foreignStatus} in a form that the gateway does not use`,
  }
  const waits = ended === 'unknown' ? ' The till waits until it knows what became of that.' : ''
  const who = { answer: '', status: 'Status shows that ', person: 'A person decided that ' } as const
  return `${capitalized(`${who[basis]}${did[ended]}`)}.${waits}${reason}`
}

const isOfDecision = ({ at, basis, clientOrderId }: Of<'answered'>, { now: { decisions = [] } }: Scene): boolean =>
  basis === 'person' &&
  decisions.some(
    ({ matter, proposal, ...decision }) =>
      (matter.kind === 'failed' || matter.kind === 'arrived') &&
      matter.clientOrderId === clientOrderId &&
      proposal === undefined &&
      decision.at === at,
  )

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

function secured({ step, done = 'step' }: Of<'three-d-secure'>): string {
  if (step === 'method-shown') return 'The till showed the customer’s browser the hidden page of the bank (3DS method).'
  if (step === 'method-notified') return 'The bank said that it is done with the hidden page (3DS method).'
  return `The customer has been through a step of 3DS (${done}).`
}

const stageOf = ({ stage }: { readonly stage: StageName }, { ofWhich }: Scene): string =>
  `${stageNames[stage]}${ofWhich}`

function stated(entry: Of<'status'>, scene: Scene): string {
  const { stage, status, outcome, word, errorCode, errorMessage } = entry
  const what = stage === 'unrecognized' && word !== undefined ? `${quote(word)}${scene.ofWhich}` : stageOf(entry, scene)
  const code =
    errorCode === undefined ? '' : ` (code ${/^[\w.-]{1,20}$/.test(errorCode) ? errorCode : quote(errorCode)})`
  const why = `${errorMessage === undefined ? '' : `: ${quote(errorMessage)}`}${code}`
  const goesOn = outcome === undefined ? ' It has not ended.' : ''
  const surplus = outcome === 'approved' ? tooMuch(entry, scene) : ''
  return `The gateway said that the ${what}${overMoney(entry)} ${endings[outcome ?? 'other'](status)}${why}.${goesOn}${surplus}`
}

/** Says of an approval that another order had brought money, and has it still. Empty: none had. */
function tooMuch(
  { order, stage }: Pick<Of<'status'>, 'order' | 'stage'>,
  { document: { orders }, profile }: Told,
): string {
  const broughtMoney = (known: KnownStage): boolean =>
    bringsMoney(known.stage) && latestOutcome(known, profile) === 'approved'
  const other = orders.find((each, place) => place !== order - 1 && !isReleased(each) && each.stages.some(broughtMoney))
  if (other === undefined || !bringsMoney(stage)) return ''
  return ` ${capitalized(nameOf({ clientOrderId: other.clientOrderId ?? '' }))} had brought money already.`
}

function corrected({ to, from, correction, ...entry }: Of<'corrected'>, scene: Scene): string {
  const { profile, now } = scene
  const known = now.orders[entry.order - 1]?.stages[entry.nth - 1]
  const isLast = placesOf(known?.corrections ?? []).at(-1) === correction - 1
  const counts = known !== undefined && isApprovedLate(known, profile)
  const approved = counts
    ? ` It counts as approved.${tooMuch(entry, scene)}`
    : ' A person must ask the gateway which is so.'
  const follows = isLast ? approved : ''
  const again = correction > 1 ? ' once more' : ''
  return (
    `The gateway corrected itself${again}: the ${stageOf(entry, scene)} ${endingOf(to, profile)}; ` +
    `before, it said that it ${endingOf(from, profile)}.${follows}`
  )
}

function delivered({ words, ...entry }: Of<'delivered'>, scene: Scene): string {
  const what = stageOf(entry, scene)
  const stage = scene.order?.stages[entry.nth - 1]
  if (stage === undefined) return `The handler was told of the ${what}.`
  if (isToldAsDisputed(stage, words, scene.profile))
    return `The handler was told that the ${what}${overMoney(stage)} is disputed.`
  const said = wordAt(stage, words)
  if (said === undefined) return `The handler was told of the ${what}.`
  return `The handler was told that the ${what}${overMoney(stage)} ${endingOf(said, scene.profile)}.`
}

/**
 * Whether the handler heard that a person must look. Whatever is certain and approved is marked as such where it was told,
 * so that the amounts are not compared again.
 */
function isToldAsDisputed(stage: KnownStage, words: number, profile: WireProfile): boolean {
  const isApproved = latestOutcome(stage, profile) === 'approved'
  return (
    words === wordsOf(stage) &&
    (disputeOf(stage, {}, profile) !== undefined || (isApproved && stage.approvalTold !== true))
  )
}

/** The last of so many words of a stage, see `wordsOf`; undefined: the other money, not kept, or said before a person settled it. */
function wordAt(stage: KnownStage, told: number): string | undefined {
  const { status, corrections, wordsBefore = 0 } = stage
  if (told === wordsOf(stage)) return corrections.at(-1)?.to ?? status
  const words = told - wordsBefore
  return words === 1 ? status : corrections[placesOf(corrections).indexOf(words - 2)]?.to
}

function delivery({ postponed, failed, ...entry }: Of<'delivery'>, scene: Scene): string {
  const what = stageOf(entry, scene)
  const now = postponed
    ? `The till tells the handler of the ${what} again.`
    : `The till is telling the handler of the ${what}.`
  if (failed === undefined) return now
  return `The handler has failed ${failed.tries === 1 ? 'once' : `${failed.tries} times`}: ${quote(failed.error)}. ${now}`
}

function followUp({ name, part, because }: Of<'follow-up'>): string {
  const what = `a ${name}${part === undefined ? '' : ` of ${part.amount}${keyOf(part.key)}`}`
  return because === 'surplus'
    ? `The till wants ${what}, since another order of the payment has brought money. It has not sent it yet.`
    : `The handler wanted ${what}. The till has not sent it yet.`
}
