/**
 * Everything one gateway is made of, handed to whoever answers a request.
 *
 * @module
 */
import type { NonceStore } from '@tillkit/signing'
import type { Agenda } from './agenda.js'
import type { CallLog } from './call-log.js'
import type { Courier } from './callbacks.js'
import type { FakeClock } from './clock.js'
import type { ArmedFaults } from './faults.js'
import type { HandlerTable } from './handlers.js'
import type { Ids } from './ids.js'
import type { Ledger } from './ledger.js'
import type { GatewaySettings } from './options.js'
import type { OrderBook } from './order-book.js'
import type { OutcomeTable } from './outcomes.js'

/** One gateway. */
export interface GatewayState {
  readonly settings: GatewaySettings
  readonly clock: FakeClock
  readonly agenda: Agenda
  readonly ids: Ids
  readonly orders: OrderBook
  readonly ledger: Ledger
  readonly nonces: NonceStore
  readonly log: CallLog
  readonly handlers: HandlerTable
  readonly faults: ArmedFaults
  readonly outcomes: OutcomeTable
  readonly courier: Courier
  /** Scheme and host that hosted pages are reached at. */
  readonly origin: () => string
  /** Whether other machines reach it, as somebody asked for. */
  readonly exposed: () => boolean
}
