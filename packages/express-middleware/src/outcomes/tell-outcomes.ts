import { checkOptions, type KeepingClient, type OptionTable, required, type WireProfile } from '@tillkit/protocol'
import { keepingClientOption } from '../config/options.js'
import type { Told } from './asked.js'
import { visitLedger } from './ledger.js'
import { type Telling, tellingOptions } from './telling.js'

/** Whose outcomes are told, and to whom. */
export interface TellOutcomesOptions<Transaction = never> extends Telling<Transaction> {
  /** The client that sent the requests, with the same store. */
  readonly client: KeepingClient
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
}

const tellOutcomesOptions: OptionTable<TellOutcomesOptions> = {
  ...tellingOptions,
  client: required(keepingClientOption),
  profile: () => undefined,
}

/**
 * Tells every outcome of an order's payment that the store has and that was not told yet: what `awaitOutcome`, `watchOutcome` or
 * `order` of the client have learned. Each is told once, no matter what learns of it first: give it the store and the handler of
 * `receiveCallbacks`.
 *
 * @example
 * ```ts
 * await client.awaitOutcome(question)
 * await tellOutcomes('order-1', { client, store, onOutcome })
 * ```
 *
 * @returns `told`: all of them by now. `busy`: another telling of the payment is under way, or the handler takes longer than its
 * lease. `nothing`: there was none.
 * @throws What the handler throws: the outcome can be told again then.
 * @throws {TypeError} when an option is wrong.
 */
export async function tellOutcomes<Transaction>(
  clientOrderId: string,
  options: TellOutcomesOptions<Transaction>,
): Promise<Exclude<Told['kind'], 'failed'>> {
  checkOptions<object>('tellOutcomes', options, tellOutcomesOptions)
  const { client } = options
  const ledger = visitLedger(options)
  const told = await ledger.tell({ payments: client.payments, clientOrderId })
  if (told.kind === 'failed') throw told.cause
  return told.kind
}
