import type { AttemptEnd, WireProfile } from '@tillkit/protocol'
import { historyOf } from '../history/news.js'
import type { DeliveryEnd, Moment, Next } from '../intents/next.js'
import type { Answer } from '../rules/answer.js'
import { withHappening } from '../rules/happening.js'
import { type AbsenceTimes, absenceTimes, learnt } from '../rules/learn.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownAttempt } from '../state/known.js'
import {
  type Effect,
  type Ended,
  type Event,
  type Gate,
  type Handled,
  type Run,
  requestIn,
  requestOf,
  type Staged,
} from './run.js'

/** When an event was heard: by the store's clock, and since the run began. */
export interface HeardAt extends Moment {
  /** Milliseconds since its patience began, by whichever of two clocks says more. */
  readonly passed: number
  /** The same since the run began. Default: `passed`. */
  readonly lived?: number
  /** Whether a handler runs in this process that was told of the payment before. */
  readonly isHandling?: boolean
}

/** A payment as it is kept, and with everything that has happened since. */
interface Merged {
  readonly kept: PaymentDocument | undefined
  readonly staged: readonly Staged[]
  readonly payment: PaymentDocument | undefined
}

type RequestGate = Extract<Gate, { readonly kind: 'request' }>

/**
 * Makes the runner of an intent: what became of one effect goes in, and the next effect comes out. Pure.
 * A decision is dropped where somebody else wrote meanwhile, and decided again by what is kept then; what happened is merged into it.
 *
 * @param profileOf That of an account.
 * @param times When an answer of absence counts.
 * @throws {TypeError} for an event that is no answer to what the run does.
 */
export function createAdvance<Result>(
  next: Next<Result>,
  profileOf: (login: string) => WireProfile,
  times: AbsenceTimes = absenceTimes,
) {
  /** The payment as it was asked for last: a run that hears one answer after the other merges each of them once. */
  let last: Merged = { kept: undefined, staged: [], payment: undefined }

  const paymentOf = ({ known: { document: kept }, staged }: Run<Result>): PaymentDocument | undefined => {
    const goesOn = last.kept === kept && last.staged.every((each, nth) => each === staged[nth])
    const payment = goesOn
      ? staged.slice(last.staged.length).reduce(withStaged, last.payment)
      : staged.reduce(withStaged, kept)
    last = { kept, staged, payment }
    return payment
  }

  const withStaged = (payment: PaymentDocument | undefined, staged: Staged): PaymentDocument | undefined => {
    if (staged.kind !== 'answered') return withHappening(payment, staged, profileOf)
    const { answer, before } = staged
    const profile = profileOf(answer.question.login)
    return learnt(payment, answer, { profile, before, ...times }).reduce(
      (after, happening) => withHappening(after, happening, profileOf),
      payment,
    )
  }

  /** Asks the intent what to do. What happened is written before anything that takes time, and before anybody is told. */
  const decide = (run: Run<Result>, at: HeardAt): Run<Result> => {
    const payment = paymentOf(run)
    const gate = nameOf(run, run.writes + 1)
    const { passed, lived = passed, isHandling = false } = at
    const { document: kept } = run.known
    const step = next({ payment, kept, heard: { ...run.heard, passed, lived, isHandling }, at, gate })
    const after = step.kind === 'end' && step.payment !== undefined ? step.payment : payment
    const isNew = after !== undefined && after !== run.known.document
    // A write names the one that it follows.
    if (run.isStale === true && (step.kind !== 'end' || isNew)) return { ...run, doing: { kind: 'read' } }
    switch (step.kind) {
      case 'send':
        return writing(run, step.payment, { kind: 'request', attempt: step.attempt, payment: step.payment })
      case 'deliver':
        return writing(run, step.payment, { kind: 'lease', token: gate, payment: step.payment })
      case 'append':
        return writing(run, step.payment, { kind: 'append', payment: step.payment })
      case 'ask':
        return { ...run, doing: step }
      case 'look':
        return { ...run, doing: { kind: 'read' } }
      case 'wait':
        // It is looked at by others meanwhile.
        return isNew ? writing(run, after) : { ...run, doing: { kind: 'sleep', milliseconds: step.milliseconds } }
      case 'end': {
        const { result } = step
        // A payment that the store does not keep is not written again.
        return isNew && run.lost === undefined ? { ...writing(run, after), saying: { result } } : done(run, result)
      }
    }
  }

  /** The lease is durable: the handler is called, if there is time. */
  const deliver = (run: Run<Result>, token: string, at: HeardAt): Run<Result> => {
    const { telling } = run.known.document ?? {}
    const until = telling?.token === token ? telling.until : Number.NEGATIVE_INFINITY
    const begun = withoutGate(run)
    return at.latest < until && at.passed < run.patience
      ? { ...begun, doing: { kind: 'handle', token, until } }
      : handed(begun, { kind: 'not-begun', token }, at, { kind: 'not-told', token, at: at.earliest })
  }

  /** The permission is durable. */
  const dispatch = (run: Run<Result>, gate: Gate, at: HeardAt): Run<Result> => {
    switch (gate.kind) {
      case 'lease':
        return deliver(run, gate.token, at)
      case 'append':
        return decide(withoutGate(run), at)
      case 'request':
        return sendNow(run, gate, at)
    }
  }

  /** The request is durable: it is sent, if there is time. */
  const sendNow = (run: Run<Result>, { attempt }: RequestGate, at: HeardAt): Run<Result> => {
    const { reservation: request, sendBy: startBy } = attempt
    const begun: Run<Result> = { ...withoutGate(run), heard: { ...run.heard, request } }
    // A caller that waits no longer has heard that nothing was sent.
    return at.latest < startBy && at.passed < run.patience
      ? { ...begun, doing: { kind: 'request', request, startBy } }
      : notSent(begun, { attempt }, at)
  }

  const answered = (run: Run<Result>, answer: Answer, at: HeardAt): Run<Result> => {
    const { answers: before } = run.heard
    const heard = { ...run.heard, isFresh: false, answers: [...before, answer] }
    return decide({ ...run, heard, staged: [...run.staged, { kind: 'answered', answer, before }] }, at)
  }

  /**
   * A lease has ended. It is given back from the earliest moment that it may be: by the latest one it would be taken for a while to come.
   *
   * @param staged Absent: that is written down already, or not known.
   */
  const handed = (run: Run<Result>, end: DeliveryEnd, at: HeardAt, ...staged: readonly Staged[]): Run<Result> => {
    const deliveries = [...run.heard.deliveries, end]
    const after = { ...run, heard: { ...run.heard, isFresh: false, deliveries }, staged: [...run.staged, ...staged] }
    // It may have been committed: the store says so.
    return end.kind === 'unknown' ? { ...after, doing: { kind: 'read' } } : decide(after, at)
  }

  const handled = (run: Run<Result>, token: string, end: Handled, at: HeardAt): Run<Result> => {
    switch (end.kind) {
      case 'committed': {
        const known = { ...end.known, writeId: undefined }
        return handed({ ...run, known, staged: [], isStale: true }, { kind: 'told', token }, at)
      }
      case 'told':
        return handed(run, { kind: 'told', token }, at, { ...end, token })
      case 'lost':
        return handed(run, { kind: 'overstayed', token }, at)
      case 'overstayed':
        return handed(run, { kind: 'overstayed', token }, at, { kind: 'overstayed', token })
      case 'failed': {
        const failure = { error: end.cause }
        return handed(run, { ...end, token }, at, { kind: 'not-told', token, at: at.earliest, failure })
      }
      default:
        return handed(run, { ...end, token }, at)
    }
  }

  const notSent = (run: Run<Result>, { attempt }: Pick<RequestGate, 'attempt'>, at: HeardAt): Run<Result> =>
    ended(run, { attempt, end: { kind: 'not-sent', at: at.latest } }, at)

  const ended = (
    run: Run<Result>,
    { attempt, end }: { readonly attempt: KnownAttempt; readonly end: AttemptEnd },
    at: HeardAt,
  ): Run<Result> => {
    const heard = { ...run.heard, request: attempt.reservation, end }
    return decide({ ...run, heard, staged: [...run.staged, { kind: 'ended', attempt, end }] }, at)
  }

  const heardOfWrite = (run: Run<Result>, event: Event, at: HeardAt): Run<Result> => {
    const { doing, gate } = run
    if (doing.kind !== 'write') throw unexpected(run, event)
    switch (event.kind) {
      case 'unknown':
        // The same write again, under its name, until it is known.
        return gate === undefined ? run : { ...run, gate: { ...gate, isDoubtful: true } }
      case 'written': {
        const { id: writeId, document } = doing
        const after = { ...run, known: { document, writeId }, staged: [] }
        if (gate !== undefined) return dispatch(after, gate, at)
        return run.saying === undefined ? decide(after, at) : done(after, run.saying.result)
      }
      case 'conflict': {
        const after = { ...run, known: event.known }
        if (gate === undefined || gate.kind === 'append') return decide(withoutGate(after), at)
        // It was written, with others on top.
        if (gate.kind === 'lease')
          return event.known.document?.telling?.token === gate.token
            ? deliver({ ...after, staged: [] }, gate.token, at)
            : decide(withoutGate(after), at)
        const own = requestIn(event.known, gate.attempt.reservation)
        if (own === undefined) return decide(withoutGate(after), at)
        // A request that somebody has ended is not sent.
        const { reservation: request, end } = own
        return end === undefined
          ? dispatch({ ...after, staged: [] }, gate, at)
          : decide({ ...withoutGate(after), staged: [], heard: { ...run.heard, request, end } }, at)
      }
      case 'failed':
        // It has happened, though nobody keeps it.
        if (gate === undefined) return decide({ ...run, staged: [], lost: { cause: event.cause } }, at)
        // An earlier try may have written it down: it is given back.
        if (gate.isDoubtful === true && gate.kind === 'request')
          return notSent({ ...withoutGate(run), refused: { cause: event.cause } }, gate, at)
        // Something that has happened is written without the permission that was to follow.
        return run.staged.some(isFact)
          ? writing(run, paymentOf(run) ?? gate.payment)
          : ending(withoutGate(run), { kind: 'failed', cause: event.cause })
      default:
        throw unexpected(run, event)
    }
  }

  return (
    run: Run<Result>,
    event: Event,
    at: HeardAt,
  ): { readonly run: Run<Result>; readonly effect: Effect<Result> } => {
    const after = advanced(run, event, at)
    return { run: after, effect: after.doing }
  }

  function advanced(run: Run<Result>, event: Event, at: HeardAt): Run<Result> {
    switch (run.doing.kind) {
      case 'read':
        if (event.kind === 'began') return run
        if (event.kind === 'unknown')
          return at.passed < run.patience ? run : ending(run, { kind: 'failed', cause: event.cause })
        if (event.kind === 'read') return decide(readBy(run, event), at)
        if (event.kind === 'failed') return ending(run, { kind: 'failed', cause: event.cause })
        break
      case 'write':
        return heardOfWrite(run, event, at)
      case 'request': {
        if (event.kind === 'sent')
          return ended(run, { attempt: requestOf(run, run.doing), end: { ...event.end, at: at.latest } }, at)
        break
      }
      case 'ask':
        if (event.kind === 'asked') return answered(run, event.answer, at)
        break
      case 'handle':
        if (event.kind === 'handled') return handled(run, run.doing.token, event.end, at)
        break
      case 'sleep': {
        if (event.kind !== 'slept') break
        const waited = run.heard.waited + (event.isWoken === true ? 0 : run.doing.milliseconds)
        return { ...run, heard: { ...run.heard, waited }, doing: { kind: 'read' } }
      }
      case 'end':
    }
    throw unexpected(run, event)
  }
}

/** Names a write of a run. The one that writes a request down names the request as well. */
const nameOf = ({ id }: Run<unknown>, nth: number): string => `${id}/${nth}`

/** A run that has read the payment. */
function readBy<Result>(
  { isStale: _read, heard, ...run }: Run<Result>,
  { known, marks = heard.marks }: Extract<Event, { readonly kind: 'read' }>,
): Run<Result> {
  const first = 'first' in heard ? heard.first : known.document
  return { ...run, known, heard: { ...heard, marks, isFresh: true, first } }
}

function writing<Result>(run: Run<Result>, after: PaymentDocument, gate?: Gate): Run<Result> {
  const { document: before, writeId } = run.known
  if (after.over === undefined && after.facts.length < (before?.facts.length ?? 0))
    throw new TypeError(`Run ${run.id} has lost facts of ${after.reference}. Nothing was written.`)
  const nth = run.writes + 1
  const history = historyOf(after)
  return {
    ...withoutGate(run),
    writes: nth,
    doing: {
      kind: 'write',
      id: nameOf(run, nth),
      after: writeId,
      history,
      document: { ...after, facts: history.facts },
      what: whatOf(run, gate),
    },
    ...(gate === undefined ? {} : { gate }),
  }
}

/** How much depends on a write. */
function whatOf({ staged }: Run<unknown>, gate: Gate | undefined): Extract<Effect<unknown>, { kind: 'write' }>['what'] {
  if (gate !== undefined) return 'gate'
  return staged.some(isFact) ? 'fact' : 'reply'
}

/** Whether something happened that nobody can be asked about again. */
const isFact = ({ kind }: Staged): boolean => kind !== 'answered'

const withoutGate = <Result>({ gate: _over, saying: _said, ...run }: Run<Result>): Run<Result> => run

const done = <Result>(run: Run<Result>, result: Result): Run<Result> => {
  const { lost: unwritten, refused, known } = run
  return ending(run, {
    kind: 'done',
    result,
    known,
    ...(unwritten === undefined ? {} : { unwritten }),
    ...(refused === undefined ? {} : { refused }),
  })
}

const ending = <Result>(run: Run<Result>, result: Ended<Result>): Run<Result> => ({
  ...run,
  doing: { kind: 'end', result },
})

const unexpected = ({ id, doing }: Run<unknown>, { kind }: Event): TypeError =>
  new TypeError(`Run ${id} does "${doing.kind}", and "${kind}" is no answer to that.`)
