/**
 * The money's way in one world, by the fake gateway's books, and every word that the merchant was told about it.
 *
 * @module
 */
import type { FakeGateway } from '@tillkit/testing'
import type { TillOutcome } from '../../../src/index.js'
import { partAmounts } from './changes.js'

/** Something that the merchant was told. */
export interface Told {
  readonly reference: string
  readonly clientOrderId: string
  readonly kind: TillOutcome['kind']
  readonly stage: string
  readonly at: number
}

/** A call of `till.pay`, from when to when. */
export interface Asking {
  readonly reference: string
  readonly from: number
  until: number
}

/** Books of one world. */
export interface Books {
  readonly told: Told[]
  readonly askings: Asking[]
  /** Forms whose address a customer was given: the merchant's order id by address. */
  readonly given: Map<string, string>
  /** Pages of the shop that a customer was sent to. */
  readonly shopPages: Set<string>
  /** Mistakes that were seen while it went on. */
  readonly seen: string[]
  /** Writes down what the gateway says of its orders now. Call it after each thing that happened. */
  look(): void
  /** Accuses the till of all that was charged twice, told falsely or not told. */
  audit(rules: { readonly replaces: boolean }): readonly string[]
}

/** All words of the gateway about the payment stage of one order. */
interface History {
  readonly reference: string
  readonly createdAt: number
  /** The stage that made it. */
  readonly stage: string
  readonly words: { readonly word: string; readonly at: number }[]
}

const referenceOf = (clientOrderId: string): string => clientOrderId.replace(/\.\d+r$/, '')

const brings = (kind: string): boolean => ['paid', 'held', 'sent', 'verified'].includes(kind)

/** 10.00 is 1000. An amount that is missing is no number, which equals and exceeds nothing. */
const minorUnits = (amount = ''): number => (amount === '' ? Number.NaN : Number(amount.replace('.', '')))

/** Opens the books of a gateway. */
export function openBooks(gateway: FakeGateway): Books {
  const told: Told[] = []
  const askings: Asking[] = []
  const given = new Map<string, string>()
  const seen: string[] = []
  const shopPages = new Set<string>()
  const histories = new Map<string, History>()
  /** Each stage and word that any order ever had. */
  const everSeen = new Set<string>()
  /** Since when nothing is left of what an order held or took. */
  const givenBackAt = new Map<string, number>()

  const isNow = ({ words }: History, word: string) => words.at(-1)?.word === word
  const everWas = ({ words }: History, word: string, at = Number.POSITIVE_INFINITY) =>
    words.some(each => each.word === word && each.at <= at)
  const isTakenBack = ({ words }: History) => words.slice(0, -1).some(({ word }) => word === 'approved')
  const wasCorrected = ({ words }: History) => words.filter(({ word }) => word !== 'processing').length > 1

  const auditTold = ({ clientOrderId, kind, stage, at }: Told): string | undefined => {
    const history = histories.get(clientOrderId)
    if (history !== undefined && history.stage !== stage) {
      const words = kind === 'failed' ? ['declined', 'filtered', 'error'] : ['approved']
      const isSo = kind === 'disputed' || words.some(word => everSeen.has(`${clientOrderId} ${stage} ${word}`))
      return isSo ? undefined : `${clientOrderId} had a ${stage} told as ${kind}, and never was`
    }
    const was = (word: string): boolean => history !== undefined && everWas(history, word, at)
    const isTrue = kind === 'declined' ? was('declined') : kind === 'disputed' || was('approved')
    return isTrue ? undefined : `${clientOrderId} was told as ${kind}, and never was`
  }

  /** An order that was opened although another one had brought money before anybody asked for it. */
  const auditOpened = (id: string, { reference, createdAt }: History): string | undefined => {
    if (![...given.values()].includes(id)) return undefined
    const asking = askings.filter(
      each => each.reference === reference && each.from <= createdAt && createdAt <= each.until,
    )
    const from = Math.min(...asking.map(each => each.from))
    const paid = [...histories].find(
      ([other, each]) =>
        other !== id &&
        each.reference === reference &&
        (givenBackAt.get(other) ?? Number.POSITIVE_INFINITY) > createdAt &&
        each.words.some(
          ({ word, at }, nth) =>
            word === 'approved' && at < from && (each.words[nth + 1]?.at ?? Number.POSITIVE_INFINITY) > createdAt,
        ),
    )
    return paid === undefined ? undefined : `${id} was opened although ${paid[0]} had brought money`
  }

  const auditPayment = (reference: string, { replaces }: { readonly replaces: boolean }): readonly string[] => {
    const found: string[] = []
    const own = [...histories].filter(([, each]) => each.reference === reference)
    const words = told.filter(each => each.reference === reference)
    const approved = own.filter(([id, each]) => isNow(each, 'approved') && !givenBackAt.has(id))
    const areCorrected = own.some(([, each]) => wasCorrected(each))
    if (approved.length > 1 && !replaces && !areCorrected)
      found.push(`${reference} was charged ${approved.length} times`)
    const paid = new Set(words.filter(({ kind }) => brings(kind)).map(({ clientOrderId }) => clientOrderId))
    const standing = [...paid].filter(
      id => !givenBackAt.has(id) && own.some(([other, each]) => other === id && !isTakenBack(each)),
    )
    if (standing.length > 1) found.push(`${reference} was told as paid of ${standing.join(' and ')}`)
    const kindsOf = (id: string) => words.filter(each => each.clientOrderId === id).map(({ kind }) => kind)
    for (const [id, each] of own) {
      const kinds = kindsOf(id)
      const isToldAsMoney = kinds.some(kind => brings(kind) || kind === 'surplus')
      if (isNow(each, 'approved') && !isTakenBack(each) && !isToldAsMoney)
        found.push(`${id} was approved, and told as ${kinds.join() || 'nothing'}`)
      const wasGiven = [...given.values()].includes(id)
      if (wasGiven && !isNow(each, 'processing') && kinds.length === 0) found.push(`${id} ended, and nothing was told`)
    }
    const isAnyTakenBack = own.some(([, each]) => isTakenBack(each))
    if (approved.length > 0 && standing.length === 0 && !isAnyTakenBack)
      found.push(`${reference} was never told as paid`)
    return found
  }

  /** Accuses the till of all that was captured or given back more than once, or over more than there was. */
  const auditChanges = (): readonly string[] =>
    gateway.orders.list().flatMap(({ clientOrderId: id, stages }) => {
      const found: string[] = []
      const done = stages.filter(({ status }) => status === 'approved')
      const of = (...names: readonly string[]) => done.filter(({ stage }) => names.includes(stage))
      const sum = (list: typeof done) => list.reduce((all, { amount }) => all + minorUnits(amount), 0)
      const [first] = stages
      if (first === undefined || histories.get(id)?.words.some(({ word }, at) => at > 1 && word !== 'processing'))
        return []
      const returned = of('reversal', 'cancel')
      if (first.stage === 'sale') {
        for (const part of partAmounts) {
          const alike = returned.filter(({ amount }) => amount === part)
          if (alike.length > 1) found.push(`${id} gave a part of ${part} back ${alike.length} times`)
        }
      }
      if (of('capture').length > 0 && sum(of('capture')) > sum(of('preauth'))) found.push(`${id} captured too much`)
      if (sum(of('reversal')) > sum(of('sale', 'capture'))) found.push(`${id} gave too much back`)
      if (of('payout').length > 1) found.push(`${id} sent its money ${of('payout').length} times`)
      return found
    })

  return {
    told,
    askings,
    given,
    shopPages,
    seen,
    look() {
      const at = gateway.clock.now()
      for (const { clientOrderId, stages } of gateway.orders.list()) {
        const [stage] = stages
        if (stage === undefined) continue
        const history = histories.get(clientOrderId) ?? {
          reference: referenceOf(clientOrderId),
          createdAt: stage.createdAt,
          stage: stage.stage,
          words: [],
        }
        if (!isNow(history, stage.status)) history.words.push({ word: stage.status, at })
        histories.set(clientOrderId, history)
        for (const each of stages) everSeen.add(`${clientOrderId} ${each.stage} ${each.status}`)
        // A part of a hold that went back leaves the rest of it.
        const isVoid = stages.some(each => each.stage === 'void' && each.status === 'approved')
        const cancelled = stages.filter(each => each.stage === 'cancel' && each.status === 'approved')
        const sum = cancelled.reduce((all, { amount }) => all + minorUnits(amount), 0)
        const isOver = isVoid || (cancelled.length > 0 && sum >= minorUnits(stage.amount))
        if (isOver && !givenBackAt.has(clientOrderId)) givenBackAt.set(clientOrderId, at)
      }
    },
    audit(rules) {
      const references = new Set([...histories.values()].map(({ reference }) => reference))
      return [
        ...seen,
        ...told.flatMap(each => auditTold(each) ?? []),
        ...[...histories].flatMap(([id, each]) => auditOpened(id, each) ?? []),
        ...auditChanges(),
        ...[...references].flatMap(reference => auditPayment(reference, rules)),
      ]
    },
  }
}
