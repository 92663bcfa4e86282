import { describe, expect, it } from 'vitest'
import { createWarnings, handlerFailure, ownWords, type WarningEvent } from './warnings.js'

/** What is warned of, by a clock that the test sets. */
function desk() {
  const warned: string[] = []
  const time = { now: 1_800_000_000_000 }
  const warn = createWarnings(ownWords, {
    clock: () => time.now,
    emit: (message, code) => warned.push(`${code} ${message}`),
  })
  return { warn, warned, time }
}

const said = (event: WarningEvent): string => {
  const { warn, warned } = desk()
  warn('WARN_CALLBACK_POSTPONED', event)
  return warned.join()
}

describe('createWarnings', () => {
  it('warns once a minute of each reason', () => {
    const { warn, warned, time } = desk()
    const refuse = (reason: 'method' | 'too-large') => warn('WARN_CALLBACK_REFUSED', { reason, explanation: 'E.' })
    refuse('method')
    refuse('method')
    refuse('too-large')
    time.now += 59_999
    refuse('method')
    expect(warned).toEqual([
      'WARN_CALLBACK_REFUSED A callback was refused with 403 (method): E. This is said at most once a minute; set "onRejected" to be told each time.',
      expect.stringContaining('(too-large)'),
    ])
    time.now += 1
    refuse('method')
    expect(warned).toHaveLength(3)
  })

  it('goes on where the clock is set back', () => {
    const { warn, warned, time } = desk()
    const event = { explanation: 'E.' }
    warn('WARN_CUSTOMER_REFUSED', event)
    time.now -= 3_600_000
    warn('WARN_CUSTOMER_REFUSED', event)
    expect(warned).toEqual(
      Array(2).fill(
        expect.stringMatching(/^WARN_CUSTOMER_REFUSED What a customer’s browser brought was not taken: E\. /),
      ),
    )
  })

  it.each([
    ['control-mismatch', 'Compare your control key'],
    ['forged-state', '"stateSecrets"'],
    ['no-answer', 'client.check() says'],
  ] as const)('says what to do about %s', (reason, cure) => {
    expect(said({ reason, explanation: 'E.' })).toContain(cure)
  })

  it('says what was thrown, once, as the report says it', () => {
    const cause = Object.assign(new Error('no route to postgres://shop:hunter2@db/shop'), { code: 'ECONNREFUSED' })
    const shown = 'Error ECONNREFUSED: no route to postgres://***@db/shop'
    for (const reason of ['failed', 'no-answer'])
      expect(said({ reason, explanation: 'The store is away.', cause })).toContain(
        `The store is away. The cause: ${shown}. `,
      )
    expect(said({ reason: 'failed', explanation: `It failed: ${shown}.`, cause })).toContain(
      `It failed: ${shown}. This`,
    )
    expect(said({ reason: 'failed', explanation: 'It was late.' })).toContain('(failed): It was late. ')
    const unfit = Object.assign(new TypeError("Received type string ('hunter2')"), { code: 'ERR_INVALID_ARG_TYPE' })
    expect(said({ reason: 'failed', explanation: 'E.', cause: unfit })).toContain(
      'The cause: TypeError ERR_INVALID_ARG_TYPE. ',
    )
  })

  it('says of a handler that failed which payment it is, and where it was thrown', () => {
    const emitted: unknown[] = []
    const warn = createWarnings(ownWords, { clock: () => 0, emit: (...all) => emitted.push(all) })
    warn('WARN_HANDLER_FAILED', handlerFailure('basket-7', new Error('card 4444 4444 4444 4448 is locked')))
    expect(emitted).toEqual([
      [
        'Your handler failed for payment "basket-7": Error: card 444444******4448 is locked. It is told again; a till lists it under "failing" of till.report(). This is said at most once a minute.',
        'WARN_HANDLER_FAILED',
        expect.stringMatching(/^ {4}at .*warnings\.test\.ts/),
      ],
    ])
    warn('WARN_CALLBACK_REFUSED', { explanation: 'E.', cause: new Error('away') })
    expect(emitted[1]).toEqual([expect.any(String), 'WARN_CALLBACK_REFUSED', undefined])
  })

  const detailOf = (cause: unknown): unknown => {
    const details: unknown[] = []
    const warn = createWarnings(ownWords, { clock: () => 0, emit: (_message, _code, detail) => details.push(detail) })
    warn('WARN_HANDLER_FAILED', { explanation: 'E.', cause })
    return details[0]
  }

  it('takes no line of a message for a frame', () => {
    const lines = 'away\n    at the door: hunter2\n    at all'
    const changed = new Error(lines)
    const emptied = new Error(lines)
    // A stack may be written when it is first read.
    expect([changed.stack, emptied.stack]).toEqual(Array(2).fill(expect.stringContaining(lines)))
    changed.message = 'another'
    emptied.message = ''
    expect(detailOf(new Error(lines))).toMatch(/^ {4}at (?!the door|all)[\s\S]*warnings\.test\.ts/)
    expect(detailOf(new Error(''))).toMatch(/^ {4}at .*warnings\.test\.ts/)
    expect([detailOf(changed), detailOf(emptied), detailOf('no error'), detailOf(undefined)]).toEqual(
      Array(4).fill(undefined),
    )
  })

  it('takes a password out of a frame, and outlives an error that cannot be read', () => {
    const cause = new Error('away')
    cause.stack =
      'Error: away\n    at get (https://shop:hunter2@cdn.example/a.js:1:2)\n    at file:///app/@shop/b.js:3:4'
    expect(detailOf(cause)).toBe('    at get (https://***@cdn.example/a.js:1:2)\n    at file:///app/@shop/b.js:3:4')
    const trap = Object.defineProperty(new Error('away'), 'stack', {
      get() {
        throw new Error('no')
      },
    })
    expect(detailOf(trap)).toBeUndefined()
  })

  it('shows no card number, and not more than a few lines', () => {
    const text = said({ reason: 'unknown-order', explanation: `"4444 4444 4444 4448" ${'x'.repeat(5_000)}` })
    expect(text).toContain('"444444******4448"')
    expect(text.length).toBeLessThan(1_000)
  })

  it('ends a long explanation after a whole word', () => {
    const text = said({ reason: 'unknown-order', explanation: 'earlier attempt '.repeat(100) })
    expect(text).toMatch(/: (?:earlier attempt )+(?:earlier|earlier attempt)… /)
  })
})
