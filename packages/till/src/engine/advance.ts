import {
  type AttemptEnd,
  historyAfter,
  type KnownAttempt,
  type PaymentDocument,
  type WireProfile,
} from '@tillkit/protocol'
import type { Moment, Next } from '../intents/next.js'
import type { Answer } from '../rules/answer.js'
import { withHappening } from '../rules/happening.js'
import { type AbsenceTimes, absenceTimes, learnt } from '../rules/learn.js'
import type { Effect, Ended, Event, Gate, Known, Run, Staged } from './run.js'

/** When an event was heard: by the store's clock, and since the run began. */
export interface HeardAt extends Moment {
  /** Milliseconds since the run began, by whichever of two clocks says more. */
  readonly passed: number
}

const nothingKnown: Known = { history: undefined, document: undefined, writeId: undefined }

/**
 * A run that has not begun.
 *
 * @param id Never the same one twice, in any process.
 * @param patience How long the caller waits, in milliseconds.
 */
export const newRun = <Result>(id: string, patience: number): Run<Result> => ({
  id,
  patience,
  writes: 0,
  known: nothingKnown,
  staged: [],
  heard: { answers: [] },
  doing: { kind: 'read' },
})

/**
 * Makes the runner of an intent: what became of one effect goes in, and the next effect comes out. Pure. A decision is dropped where somebody
 * else wrote meanwhile, and decided again by what is kept then; what happened is merged into it.
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
  const paymentOf = ({ known, staged }: Run<Result>): PaymentDocument | undefined =>
    staged.reduce(withStaged, known.document)

  const withStaged = (payment: PaymentDocument | undefined, staged: Staged): PaymentDocument | undefined => {
    if (staged.kind === 'ended') return withHappening(payment, staged, profileOf)
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
    const step = next({ payment, heard: { ...run.heard, passed: at.passed }, at, gate })
    switch (step.kind) {
      case 'send':
        return writing(run, step.payment, { attempt: step.attempt, payment: step.payment })
      case 'ask':
        return { ...run, doing: step }
      case 'end': {
        const { result } = step
        if (payment !== undefined && payment !== run.known.document)
          return { ...writing(run, payment), saying: { result } }
        const { lost: unwritten, refused } = run
        return ending(run, {
          kind: 'done',
          result,
          ...(unwritten === undefined ? {} : { unwritten }),
          ...(refused === undefined ? {} : { refused }),
        })
      }
    }
  }

  /** The request is durable: it is sent, if there is time. */
  const dispatch = (run: Run<Result>, { attempt }: Gate, at: HeardAt): Run<Result> => {
    const { reservation: request, sendBy: startBy } = attempt
    const begun: Run<Result> = { ...withoutGate(run), heard: { ...run.heard, request } }
    // A caller that waits no longer has heard that nothing was sent.
    return at.latest < startBy && at.passed < run.patience
      ? { ...begun, doing: { kind: 'request', request, startBy } }
      : notSent(begun, { attempt }, at)
  }

  const answered = (run: Run<Result>, answer: Answer, at: HeardAt): Run<Result> => {
    const { answers: before } = run.heard
    const heard = { ...run.heard, answers: [...before, answer] }
    return decide({ ...run, heard, staged: [...run.staged, { kind: 'answered', answer, before }] }, at)
  }

  const notSent = (run: Run<Result>, { attempt }: Pick<Gate, 'attempt'>, at: HeardAt): Run<Result> =>
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
        const { id: writeId, history } = doing
        const document = gate?.payment ?? paymentOf(run)
        const after = { ...run, known: { history, document, writeId }, staged: [] }
        return gate === undefined ? decide(after, at) : dispatch(after, gate, at)
      }
      case 'conflict': {
        const after = { ...run, known: event.known }
        const own = gate === undefined ? undefined : requestIn(event.known, gate.attempt.reservation)
        if (gate === undefined || own === undefined) return decide(withoutGate(after), at)
        // It was written, with others on top. What somebody has ended is not sent.
        const { reservation: request, end } = own
        return end === undefined
          ? dispatch({ ...after, staged: [] }, gate, at)
          : decide({ ...withoutGate(after), staged: [], heard: { ...run.heard, request, end } }, at)
      }
      case 'failed':
        // It has happened, though nobody keeps it.
        if (gate === undefined) return decide({ ...run, staged: [], lost: { cause: event.cause } }, at)
        // An earlier try may have written it down: it is given back.
        return gate.isDoubtful === true
          ? notSent({ ...withoutGate(run), refused: { cause: event.cause } }, gate, at)
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
        if (event.kind === 'read') return decide({ ...run, known: event.known }, at)
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
      case 'end':
    }
    throw unexpected(run, event)
  }
}

/** How long a caller waits until what has happened is written down, in milliseconds. It hears of it then, written or not. */
export const longestWriting = 5_000

/** Whether the run waits for the store. */
export const waitsForStore = ({ doing }: Run<unknown>): boolean => doing.kind === 'read' || doing.kind === 'write'

/**
 * Says what the caller hears where it waits for the store no longer. Before anything was sent: nothing was, and nothing will be, since the time is
 * over in which it could. The run goes on until what it has written is known, and gives a request back that it has not sent.
 */
export const heardSoFar = <Result>({ saying }: Run<Result>, cause: unknown): Ended<Result> =>
  saying === undefined ? { kind: 'failed', cause } : { kind: 'done', result: saying.result, unwritten: { cause } }

/** Names a write of a run. The one that writes a request down names the request as well. */
const nameOf = ({ id }: Run<unknown>, nth: number): string => `${id}/${nth}`

function writing<Result>(run: Run<Result>, after: PaymentDocument, gate?: Gate): Run<Result> {
  const { history, document: before, writeId } = run.known
  const nth = run.writes + 1
  const written = historyAfter(history, { before, after })
  return {
    ...withoutGate(run),
    writes: nth,
    doing: {
      kind: 'write',
      id: nameOf(run, nth),
      after: writeId,
      history: written,
      document: after,
      what: whatOf(run, gate),
    },
    ...(gate === undefined ? {} : { gate }),
  }
}

/** How much depends on a write. */
function whatOf({ staged }: Run<unknown>, gate: Gate | undefined): Extract<Effect<unknown>, { kind: 'write' }>['what'] {
  if (gate !== undefined) return 'gate'
  return staged.some(({ kind }) => kind === 'ended') ? 'fact' : 'reply'
}

const withoutGate = <Result>({ gate: _over, saying: _said, ...run }: Run<Result>): Run<Result> => run

const ending = <Result>(run: Run<Result>, result: Ended<Result>): Run<Result> => ({
  ...run,
  doing: { kind: 'end', result },
})

/** The request that is sent, as it is kept. */
export function requestOf(run: Run<unknown>, { request }: { readonly request: string }): KnownAttempt {
  const found = requestIn(run.known, request)
  if (found === undefined) throw new TypeError(`Run ${run.id} sends ${request}, which it has not written down.`)
  return found
}

/** The request of that name, where it is kept. */
const requestIn = ({ document }: Known, request: string): KnownAttempt | undefined =>
  document?.orders.flatMap(({ attempts }) => attempts).find(({ reservation }) => reservation === request)

const unexpected = ({ id, doing }: Run<unknown>, { kind }: Event): TypeError =>
  new TypeError(`Run ${id} does "${doing.kind}", and "${kind}" is no answer to that.`)
