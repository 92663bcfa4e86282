import type { NonceStore } from '@tillkit/signing'
import type { Courier } from '../callbacks/callbacks.js'
import type { ArmedFaults } from '../faults/faults.js'
import type { CallLog } from '../log/call-log.js'
import type { GatewaySettings } from '../merchants/options.js'
import type { OrderBook } from '../orders/order-book.js'
import type { OutcomeTable } from '../orders/outcomes.js'
import type { Agenda } from '../time/agenda.js'
import type { FakeClock } from '../time/clock.js'
import type { Ledger } from '../verification/ledger.js'
import type { HandlerTable } from './handlers.js'
import type { Ids } from './ids.js'

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
