import type { AnyOperation } from '@tillkit/protocol'
import type { NonceStore } from '@tillkit/signing'
import type { CallbackSender } from '../callbacks/callback-sender.js'
import type { FaultName } from '../faults/fault-table.js'
import type { ArmedFaults } from '../faults/faults.js'
import type { CallLog } from '../log/call-log.js'
import type { Journal } from '../log/journal.js'
import type { GatewaySettings } from '../merchants/settings.js'
import type { Lags } from '../orders/lags.js'
import type { OrderBook } from '../orders/order-book.js'
import type { OutcomeTable } from '../orders/outcomes.js'
import type { FakeClock } from '../time/clock.js'
import type { Schedule } from '../time/schedule.js'
import type { HandlerTable } from './handlers.js'
import type { Ids } from './seed.js'
import type { SignedEvidenceStore } from './signed-evidence.js'

export interface GatewayState {
  readonly settings: GatewaySettings
  readonly clock: FakeClock
  readonly schedule: Schedule
  readonly ids: Ids
  readonly orders: OrderBook
  readonly lags: Lags
  readonly signedEvidence: SignedEvidenceStore
  readonly nonces: NonceStore
  readonly log: CallLog
  readonly journal: Journal
  readonly handlers: HandlerTable
  readonly faults: ArmedFaults
  readonly outcomes: OutcomeTable
  readonly callbackSender: CallbackSender
  /** Scheme and host that hosted pages are reached at. */
  readonly origin: () => string
  /** Whether it listens for other machines, as `listen()` was asked to. */
  readonly exposed: () => boolean
  /** Whether it takes connections: a fault can close its port. */
  readonly isOpen: () => boolean
  /** Scheme and host that no fault closes; undefined where nothing is served there. */
  readonly controlOrigin: () => string | undefined
}

export type Fields = Readonly<Record<string, string | undefined>>

/** A request that is well-formed, signed and complete. */
export interface AcceptedCall {
  readonly operation: string
  readonly row: AnyOperation
  /** Endpoint or endpoint group of the path. */
  readonly endpointId: string
  /** Values by field name, trimmed as the service trims them. */
  readonly fields: Fields
  readonly serialNumber: string
  /** What the merchant's developer has to hear of it. */
  readonly warnings: string[]
  /** Faults that strike while it is carried out. */
  readonly struck: FaultName[]
  /** The gateway that carries it out. */
  readonly gateway: GatewayState
}
