/**
 * How a life takes callbacks: over HTTP, with a handler that writes into the merchant's table.
 *
 * @module
 */
import { createServer } from 'node:http'
import type { Till } from '@tillkit/till'
import { readDocument } from '../../src/rules/kept/entry.js'
import type { PaymentDocument } from '../../src/state/document.js'
import type { KnownAttempt } from '../../src/state/known.js'
import type { Store } from '../../src/store/store.js'

/** Takes callbacks, and looks into the store. */
export interface Intake {
  /** How many stages of an order the handler was told of. */
  toldStages(order: { readonly reference: string; readonly clientOrderId: string }): Promise<number>
  /** The last request of an id, as the store has it now. */
  attempt(wanted: { readonly reference: string; readonly attemptId: string }): Promise<KnownAttempt | undefined>
  resume(): Promise<number>
  close(): Promise<void>
}

export interface IntakeOptions {
  readonly till: Till
  /** The store, past the points. */
  readonly raw: Store<never>
  /** Says where callbacks are taken. */
  readonly opened: (port: number) => Promise<unknown>
}

export async function openIntake({ till, raw, opened }: IntakeOptions): Promise<Intake> {
  const server = createServer((request, response) => {
    request.url = (request.url ?? '').replace(/^\/callback\/\w+/, '/payments/callback')
    till.answer(request).then(
      answer => response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  await opened(address.port)
  const documentOf = async (reference: string): Promise<PaymentDocument | undefined> => {
    // The server may be gone.
    const { stored } = await raw.read(`payment/test/kills/${reference}`).catch(() => ({ stored: undefined }))
    return stored === undefined ? undefined : readDocument(stored)
  }
  return {
    async toldStages({ reference, clientOrderId }) {
      const { orders = [] } = (await documentOf(reference)) ?? {}
      const stages = orders.find(each => each.clientOrderId === clientOrderId)?.stages ?? []
      return stages.filter(({ told = 0 }) => told > 0).length
    },
    async attempt({ reference, attemptId }) {
      const { orders = [] } = (await documentOf(reference)) ?? {}
      return orders.flatMap(({ attempts }) => attempts).findLast(each => each.attemptId === attemptId)
    },
    resume: () => till.tick(),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
