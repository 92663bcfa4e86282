import { setImmediate } from 'node:timers/promises'
import {
  type Attempt,
  type AttemptsPort,
  attemptKey,
  changedOrderKey,
  laterEnd,
  type RememberedAttempt,
  refuseAttempt,
} from '@tillkit/protocol'
import { attemptsChecks, attemptsConformance } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { memoryAttempts } from '../src/index.js'

/** A port on a store that several share, one step at a time as a database does. `wrong` breaks it. */
function portOn(store: RememberedAttempt[], wrong: Partial<Wrong> = {}): AttemptsPort {
  const related = (attempt: Attempt) =>
    store.filter(
      each =>
        attemptKey(each) === attemptKey(attempt) ||
        (changedOrderKey(attempt) !== undefined && changedOrderKey(each) === changedOrderKey(attempt)),
    )
  return {
    async reserve(attempt) {
      const earlier = (wrong.related ?? related)(attempt)
      if (wrong.readsBeforeItWrites === true) await setImmediate()
      const reservation = (wrong.refuse ?? refuseAttempt)(attempt, earlier)
      if (wrong.readsBeforeItWrites === true) await setImmediate()
      if (reservation.kind === 'reserved') store.push(JSON.parse(JSON.stringify(attempt)))
      return reservation
    },
    async settled(attempt, end) {
      const at = store.findLastIndex(each => each.attemptId === attempt.attemptId)
      const before = store[at]
      if (before !== undefined) store[at] = { ...before, end: (wrong.later ?? laterEnd)(before.end, end) }
    },
    async changesOf(attempt) {
      const key = changedOrderKey(attempt)
      const listed = store.filter(each => key !== undefined && changedOrderKey(each) === key)
      return wrong.list === undefined ? listed : wrong.list(listed)
    },
  }
}

interface Wrong {
  readonly related: (attempt: Attempt) => readonly RememberedAttempt[]
  readonly refuse: typeof refuseAttempt
  readonly later: typeof laterEnd
  readonly list: (listed: readonly RememberedAttempt[]) => readonly RememberedAttempt[]
  readonly readsBeforeItWrites: boolean
}

/** The names of the checks that a port fails. */
const failed = async (port: AttemptsPort, another?: AttemptsPort) => {
  const problems = await attemptsConformance(port, another === undefined ? {} : { another })
  return problems.map(problem => problem.split(':')[0])
}

describe('attemptsConformance', () => {
  it('finds nothing wrong with memoryAttempts', async () => {
    expect(await attemptsConformance(memoryAttempts())).toEqual([])
  })

  it('finds nothing wrong with a store that two processes share', async () => {
    const store: RememberedAttempt[] = []
    expect(await attemptsConformance(portOn(store), { another: portOn(store) })).toEqual([])
  })

  it('can be run twice on one store', async () => {
    const store: RememberedAttempt[] = []
    await attemptsConformance(portOn(store))
    expect(await attemptsConformance(portOn(store))).toEqual([])
  })

  it('finds a port that reads before it writes', async () => {
    const store: RememberedAttempt[] = []
    const wrong = { readsBeforeItWrites: true }
    expect(await failed(portOn(store, wrong), portOn(store, wrong))).toEqual([
      'reserves one of many equal requests at once',
      'reserves one of many changes of an order at once',
    ])
  })

  it('finds that two processes do not know of each other', async () => {
    expect(await failed(memoryAttempts(), memoryAttempts())).toEqual([
      'refuses a second change of the whole order, whatever else it says',
      'reserves one of many equal requests at once',
      'reserves one of many changes of an order at once',
      'knows in one process what another has reserved and settled',
      'lists the changes of an order that move money, in order and with their endings',
    ])
  })

  it('finds a port that lets a second change of an order pass', async () => {
    const store: RememberedAttempt[] = []
    const related = (attempt: Attempt) => store.filter(each => attemptKey(each) === attemptKey(attempt))
    expect(await failed(portOn(store, { related }))).toEqual([
      'refuses a second change of an order while the first has not ended',
      'refuses a second change of an order while the first is unknown',
      'reserves one of many changes of an order at once',
    ])
  })

  it.each<[string, Partial<Wrong>, readonly string[]]>([
    [
      'that notes the last ending',
      { later: (_before, end) => end },
      ['keeps an order that was accepted, whatever is said later', 'does not fall back to unknown'],
    ],
    [
      'that notes the first ending',
      { later: (before, end) => before ?? end },
      ['accepted', 'refused', 'not-sent', 'no-trace']
        .map(ending => `reserves an equal change of an order once the first is ${ending}`)
        .concat('keeps an order that was accepted, whatever is said later'),
    ],
    [
      'that forgets how attempts ended',
      { list: listed => listed.map(({ end: _end, ...attempt }) => attempt) },
      ['lists the changes of an order that move money, in order and with their endings'],
    ],
    [
      'that lists the latest first',
      { list: listed => listed.toReversed() },
      ['lists the changes of an order that move money, in order and with their endings'],
    ],
    [
      'that does not look at the content',
      {
        refuse: (attempt, earlier) =>
          refuseAttempt(
            attempt,
            earlier.map(each => ({ ...each, fingerprint: attempt.fingerprint })),
          ),
      },
      [
        'refuses other content under an order id, even when nothing was sent under it',
        'refuses a second change of the whole order, whatever else it says',
      ],
    ],
  ])('finds a port %s', async (_name, wrong, expected) => {
    expect((await failed(portOn([], wrong))).toSorted()).toEqual(expected.toSorted())
  })

  it('finds a port that answers nothing, or fails', async () => {
    const silent = { ...memoryAttempts(), reserve: async () => undefined as never }
    expect(await failed(silent)).toContain('reserves what it has not seen')
    const broken = { ...memoryAttempts(), reserve: () => Promise.reject(new Error('no such table')) }
    const problems = await attemptsConformance(broken)
    expect(problems).toHaveLength(attemptsChecks.length)
    expect(problems[0]).toBe('reserves what it has not seen: it failed: no such table')
  })

  it('has a name for every check', () => {
    expect(new Set(attemptsChecks.map(({ name }) => name)).size).toBe(attemptsChecks.length)
  })
})
