import { describe, expect, it } from 'vitest'
import { CallbackUnsettledError } from './errors.js'
import { createWarnings, type WarningEvent } from './warnings.js'

/** What is warned of, by a clock that the test sets. */
function desk() {
  const warned: string[] = []
  const time = { now: 1_800_000_000_000 }
  const warn = createWarnings({
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
    warn('WARN_3D_SECURE_STUCK', event)
    time.now -= 3_600_000
    warn('WARN_3D_SECURE_STUCK', event)
    expect(warned).toEqual(Array(2).fill(expect.stringMatching(/^WARN_3D_SECURE_STUCK 3DS could not go on: E\. /)))
  })

  it.each([
    ['control-mismatch', 'Compare your control key'],
    ['unmatched', 'the same store and, where you set one, the same "name"'],
    ['unknown-order', 'a client that has this store and, where you set one, this "name"'],
    ['forged-state', '"stateSecrets"'],
    ['no-answer', 'client.check()'],
  ] as const)('says what to do about %s', (reason, cure) => {
    expect(said({ reason, explanation: 'E.' })).toContain(cure)
  })

  it('names what was thrown, and repeats mistakes in the program only', () => {
    const reason = 'failed'
    const secret = Object.assign(new Error('password hunter2'), { code: 'ECONNREFUSED' })
    const explanation = 'Order "o-1" could not be settled: password hunter2'
    expect(said({ reason, explanation, cause: secret })).toContain('or the store, failed with Error ECONNREFUSED.')
    expect(said({ reason, explanation, cause: 'hunter2' })).toContain('A function of yours, or the store, failed. ')
    expect(said({ reason, explanation, cause: secret })).not.toContain('hunter2')
    for (const cause of [undefined, new TypeError('Option "order" took'), new CallbackUnsettledError('late')]) {
      expect(said({ reason, explanation: 'Option "order" took', cause })).toContain('Option "order" took')
    }
    expect(said({ reason: 'no-answer', explanation: 'E.', cause: secret })).toContain(
      'E. The cause: Error ECONNREFUSED.',
    )
  })

  it('repeats of such mistakes no value and no password of an address', () => {
    const mistake = (message: string, more = {}) => {
      const cause = Object.assign(new TypeError(message), more)
      return said({ reason: 'failed', explanation: `Order "o-1" could not be settled: ${message}`, cause })
    }
    // The messages of fetch and of the functions of Node.js.
    const address = mistake(
      'Request cannot be constructed from a URL that includes credentials: https://user:hunter2@db.example/',
    )
    expect(address).toContain('credentials: https://***@db.example/')
    expect(address).not.toContain('hunter2')
    const argument = mistake(`The "key" argument must be of type object. Received type string ('hunter2')`, {
      code: 'ERR_INVALID_ARG_TYPE',
    })
    expect(argument).toContain('failed with TypeError ERR_INVALID_ARG_TYPE.')
    expect(argument).not.toContain('hunter2')
  })

  it('shows no card number, and not more than a few lines', () => {
    const text = said({ reason: 'unknown-order', explanation: `"4444 4444 4444 4448" ${'x'.repeat(5_000)}` })
    expect(text).toContain('"444444******4448"')
    expect(text.length).toBeLessThan(1_000)
  })
})
