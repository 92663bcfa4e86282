import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { paidPayment } from '../../test/engine/known-sale.js'
import { claimDelivery } from '../rules/delivery/delivery.js'
import { entryOf, readDocument } from '../rules/kept/entry.js'
import type { PaymentDocument } from '../state/document.js'
import { type Store, type Stored, StoreError } from '../store/store.js'
import { createHandler, type HandlerOptions } from './handler.js'

const claim = claimDelivery(paidPayment, { token: 'run/1', at: 10_000, lease: 30_000 })
if (claim.kind !== 'claimed') throw new Error(claim.kind)
const leased = claim.document
const known = { document: leased }
const key = 'payment/test/merchant/basket-7'
/** The store below says that somebody has written since. */
const stored: Stored = { key, version: 4, writeId: 'lease', body: 'this is not read' }
const delivery = { key, known, stored, token: 'run/1', at: 10_000, within: 30_000 }

/** A wait that ends when the test says so. */
function waiting() {
  let end: () => void = () => {}
  const over = new Promise<void>(resolve => {
    end = resolve
  })
  return { wait: () => over, end }
}

function handling(options: Partial<HandlerOptions<string>>) {
  const late: { readonly kind: string }[] = []
  const handler = createHandler<string>({
    store: {},
    onOutcome: () => {},
    wantedOf: () => [],
    profileOf: () => defaultProfile,
    wait: () => new Promise(() => {}),
    late: (_, end) => void late.push(end),
    ...options,
  })
  return { handler, late }
}

/** A store that has the payment as `body`, and commits. */
const committing = (kept: PaymentDocument, bodies: string[]): Pick<Store<string>, 'commit'> => ({
  async commit(at, work, finish) {
    await work('transaction')
    const { body } = entryOf(kept)
    const current: Stored = { key: at, version: 4, writeId: 'w', body }
    const entry = finish(current)
    if (entry === undefined) return { kind: 'conflict', current, at: 10_000 }
    bodies.push(entry.body)
    return { kind: 'written', version: 5, at: 10_000 }
  },
})

describe('createHandler', () => {
  it('tells the outcome that is leased, with its key, the fencing token and the payment', async () => {
    const heard: unknown[] = []
    const { handler } = handling({
      onOutcome: ({ kind, order }, { idempotencyKey, fencingToken, payment, transaction }) => {
        heard.push([kind, order.clientOrderId, idempotencyKey, fencingToken, payment.state, transaction])
      },
      wantedOf: () => [{ name: 'capture' }],
    })
    expect(await handler.handle(delivery)).toEqual({ kind: 'told', wanted: [{ name: 'capture' }], isApproval: true })
    // Login, order, stage, its place and how many words it has had: adr/0015.
    expect(heard).toEqual([['paid', 'basket-7', 'merchant/basket-7/sale/1/1', 4, expect.any(String), undefined]])
  })

  it.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('no paper')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no paper'))],
  ])('says that the handler failed that %s', async (_, onOutcome) => {
    const { handler } = handling({ onOutcome })
    expect(await handler.handle(delivery)).toMatchObject({ kind: 'failed', cause: { message: 'no paper' } })
    const inTransaction = handling({ onOutcome, store: committing(leased, []) })
    expect(await inTransaction.handler.handle(delivery)).toMatchObject({
      kind: 'failed',
      cause: { message: 'no paper' },
    })
  })

  it('commits that it was told together with what the handler wrote', async () => {
    const bodies: string[] = []
    const given: string[] = []
    const { handler } = handling({
      store: committing(leased, bodies),
      onOutcome: (_, { transaction }) => void given.push(transaction),
    })
    expect(await handler.handle(delivery)).toMatchObject({ kind: 'committed', wanted: [] })
    expect(given).toEqual(['transaction'])
    const [body = ''] = bodies
    const after = readDocument({ key, version: 5, writeId: 'w', body })
    expect([after.orders[0]?.stages[0]?.told, after.telling]).toEqual([1, undefined])
  })

  it('does not read a payment again on which nobody has written since', async () => {
    const { handler } = handling({
      store: {
        async commit(_, work, finish, current) {
          await work('transaction')
          return finish(current) === undefined
            ? { kind: 'conflict', current, at: 10_000 }
            : { kind: 'written', version: 5, at: 10_000 }
        },
      },
    })
    expect(await handler.handle(delivery)).toMatchObject({ kind: 'committed' })
  })

  it('commits nothing where somebody else has the lease by then', async () => {
    const bodies: string[] = []
    const taken = {
      ...leased,
      telling: { ...leased.telling, token: 'other', order: 0, stage: 0, words: 1, until: 90_000 },
    }
    const { handler } = handling({ store: committing(taken, bodies) })
    expect([await handler.handle(delivery), bodies]).toEqual([{ kind: 'lost' }, []])
  })

  it('does not know where the answer to the commit was lost, and knows that one that was refused did nothing', async () => {
    const rejecting = (code: 'ERR_STORE_UNKNOWN' | 'ERR_STORE_REFUSED') =>
      handling({
        store: {
          async commit(_, work) {
            await work('transaction')
            throw new StoreError(code, 'the connection was lost')
          },
        },
      }).handler.handle(delivery)
    expect((await rejecting('ERR_STORE_UNKNOWN')).kind).toBe('unknown')
    expect((await rejecting('ERR_STORE_REFUSED')).kind).toBe('failed')
  })

  it('does not call the handler once the lease is over, though the store had let it wait until then', async () => {
    const { wait, end } = waiting()
    let connected: () => void = () => {}
    const called: string[] = []
    const { handler, late } = handling({
      wait,
      onOutcome: () => void called.push('called'),
      store: {
        async commit(_, work) {
          await new Promise<void>(resolve => {
            connected = resolve
          })
          await work('transaction')
          throw new Error('nothing is committed')
        },
      },
    })
    const handled = handler.handle(delivery)
    end()
    expect(await handled).toEqual({ kind: 'overstayed' })
    connected()
    await new Promise(setImmediate)
    expect([called, late, handler.isHandling(key)]).toEqual([[], [], false])
  })

  it('handles no longer once the handler has ended, though the store goes on committing', async () => {
    const { wait, end } = waiting()
    const { handler } = handling({
      wait,
      store: {
        async commit(_, work) {
          await work('transaction')
          return new Promise(() => {})
        },
      },
    })
    const handled = handler.handle(delivery)
    end()
    expect([(await handled).kind, handler.isHandling(key)]).toEqual(['overstayed', false])
  })

  it('knows that nothing was committed where it could not be prepared', async () => {
    const profileOf = () => {
      throw new Error('there is no such account')
    }
    const { handler } = handling({ profileOf, store: committing(leased, []) })
    expect(await handler.handle(delivery)).toMatchObject({ kind: 'failed' })
  })

  it('waits until the lease is over, says so to the handler, and gives on what it comes to afterwards', async () => {
    const { wait, end } = waiting()
    let finish: () => void = () => {}
    const signals: AbortSignal[] = []
    const { handler, late } = handling({
      wait,
      onOutcome: (_, { signal }) => {
        signals.push(signal)
        return new Promise<void>(resolve => {
          finish = resolve
        })
      },
    })
    const handled = handler.handle(delivery)
    expect(handler.isHandling(key)).toBe(true)
    end()
    expect(await handled).toEqual({ kind: 'overstayed' })
    expect([signals[0]?.aborted, handler.isHandling(key), late]).toEqual([true, true, []])
    finish()
    await new Promise(setImmediate)
    expect([handler.isHandling(key), late]).toEqual([
      false,
      [{ kind: 'told', token: 'run/1', wanted: [], isApproval: true }],
    ])
  })
})
