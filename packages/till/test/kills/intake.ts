/**
 * How a life takes callbacks: over HTTP, with a handler that writes into the merchant's table.
 *
 * @module
 */
import { createServer } from 'node:http'
import type { ClientWithStore } from '@tillkit/client'
import { receiveCallbacks } from '@tillkit/express-middleware'
import { documentKey, readDocument, type Store } from '@tillkit/protocol'
import { noteTold, noteToldOutside } from './merchant.js'
import type { LifeOptions } from './messages.js'
import { type Stand, tell } from './stand.js'

/** What takes callbacks. */
export interface Intake {
  /** How many stages of an order the handler was told of. */
  toldStages(order: { readonly reference: string; readonly clientOrderId: string }): Promise<number>
  resume(): Promise<number>
  close(): Promise<void>
}

export interface IntakeOptions {
  readonly client: ClientWithStore
  readonly store: Store<never>
  /** The same store, past the points. */
  readonly raw: Store<never>
  readonly at: Stand
  readonly options: LifeOptions
}

export async function openIntake({ client, store, raw, at, options }: IntakeOptions): Promise<Intake> {
  const receiver = (acknowledge: 'after-handler' | 'after-stored') =>
    receiveCallbacks({
      acknowledge,
      merchant: { controlKeys: options.gateway.controlKey, client },
      store,
      interval: 0,
      lease: 3_000,
      async onOutcome(outcome, { transaction }) {
        // What an earlier list has left: its books are closed.
        if (!options.payments.some(({ reference }) => reference === outcome.reference)) return
        await at.pass('handler.before')
        const { order, stage } = outcome
        const about = { reference: at.reference(), clientOrderId: order.clientOrderId, key: at.key() }
        await tell({
          kind: 'belief',
          belief: { ...about, what: 'told', word: stage.status, stage: stage.stage, amount: stage.amount },
        })
        if (options.planted === 'outside') await noteToldOutside(options.store, outcome)
        else await noteTold(outcome, transaction)
        await at.pass('handler.after')
      },
      onReport: () => {},
    })
  const [handled, stored] = [receiver('after-handler'), receiver('after-stored')]
  const server = createServer((request, response) => {
    const isStored = request.url?.startsWith('/callback/stored') === true
    void (isStored ? stored : handled)(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  await tell({ kind: 'listening', port: address.port })
  return {
    async toldStages({ reference, clientOrderId }) {
      // The server may be gone.
      const key = documentKey({ clientOrderId: reference }, client.payments)
      const { stored } = await raw.read(key).catch(() => ({ stored: undefined }))
      const orders = stored === undefined ? [] : readDocument(stored).orders
      const stages = orders.find(each => each.clientOrderId === clientOrderId)?.stages ?? []
      return stages.filter(({ told = 0 }) => told > 0).length
    },
    resume: handled.resume,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await Promise.all([handled.close(), stored.close()])
    },
  }
}
