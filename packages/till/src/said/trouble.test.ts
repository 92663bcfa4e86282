import type { ClientWarning } from '@tillkit/client'
import { describe, expect, it } from 'vitest'
import type { StoreTrouble } from '../store/persist.js'
import { StoreError } from '../store/store.js'
import { troubleTeller } from './trouble.js'

const key = 'payment/test/shop/basket-7'
const away = Object.assign(new Error('connect 127.0.0.1'), { code: 'ECONNREFUSED' })
const error = (code: StoreError['code'], message = 'no') => new StoreError(code, message)

function listen() {
  const warned: ClientWarning[] = []
  const clock = { now: 0 }
  const settings = { clock: () => clock.now, controlKey: 'very-secret-key' }
  const tell = troubleTeller(settings, warning => void warned.push(warning))
  return {
    warned,
    clock,
    tell: (cause: unknown, kind: StoreTrouble['kind'] = 'again') => tell({ kind, key, cause, failures: 1 }),
  }
}

describe('what is said of a store that fails', () => {
  it('is said once a minute for each reason', () => {
    const { warned, clock, tell } = listen()
    for (const now of [0, 1, 59_999]) {
      clock.now = now
      tell(away)
      tell(error('ERR_STORE_DOCUMENT'))
      tell(error('ERR_STORE_DOCUMENT'), 'given-up')
    }
    expect(warned).toHaveLength(3)
    clock.now = 60_000
    tell(away)
    expect(warned).toHaveLength(4)
    // A clock that is set back does not silence it.
    clock.now = -3_600_000
    tell(away)
    expect(warned.map(({ code }) => code)).toEqual(Array(5).fill('WARN_STORE_FAILED'))
  })

  it.each<[StoreTrouble['kind'], unknown, string]>([
    ['again', away, 'Is the database up and reachable?'],
    ['again', error('ERR_STORE_REFUSED'), 'Is its disk full, or its file read-only?'],
    ['again', error('ERR_STORE_SCHEMA'), 'The cause says what to mend'],
    ['again', error('ERR_STORE_DOCUMENT'), 'The cause says what to mend'],
    ['given-up', error('ERR_STORE_REFUSED'), 'a person must look'],
    ['given-up', error('ERR_STORE_CLOSED'), 'Close the till before its store.'],
    ['given-up', error('ERR_STORE_UNKNOWN'), 'The till was closed before the store took it.'],
  ])('names the document, the cause and the cure: %s, %s', (kind, cause, cure) => {
    const { warned, tell } = listen()
    tell(cause, kind)
    expect(warned[0]?.message).toContain(key)
    expect(warned[0]?.message).toMatch(/The cause: (Error ECONNREFUSED|StoreError ERR_STORE_UNKNOWN|no \(ERR_STORE_)/)
    expect(warned[0]?.message).toContain(cure)
  })

  it('holds no key and no card number', () => {
    const { warned, tell } = listen()
    tell(error('ERR_STORE_REFUSED', 'very-secret-key was refused for 4444333322221111'))
    expect(warned[0]?.message).not.toMatch(/very-secret-key|4444333322221111/)
  })

  it('repeats nothing of what a database says: it may quote anything', () => {
    const { warned, tell } = listen()
    const quoting = Object.assign(new Error('insert failed: 987 11/83'), { code: '23505', detail: '987 11/83' })
    tell(quoting)
    tell(new StoreError('ERR_STORE_UNKNOWN', `It failed, at last with: ${quoting.message}`, { cause: quoting }))
    const said = warned.map(({ message }) => message).join('\n')
    expect(said).not.toMatch(/987|11\/83/)
    expect(said).toContain('StoreError ERR_STORE_UNKNOWN, because of Error 23505.')
  })

  it('throws nothing into the store’s work where the clock or whoever hears it fails', () => {
    const fail = () => {
      throw new Error('no')
    }
    const broken = troubleTeller({ clock: fail, controlKey: 'very-secret-key' }, fail)
    expect(() => broken({ kind: 'again', key, cause: away, failures: 1 })).not.toThrow()
  })
})
