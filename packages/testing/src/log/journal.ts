import type { FaultName } from '../faults/fault-table.js'
import type { ToldApartBy } from '../rules/actions.js'
import type { FakeClock } from '../time/clock.js'
import { createRing } from '../time/ring.js'

/** What happened to an order besides requests and callbacks. */
export type Happening =
  | {
      readonly kind: 'page'
      /** A page of the gateway or of the test bank, in words, such as `card form`. */
      readonly page: string
      readonly did: 'opened' | 'sent' | 'cancelled'
      /** Status of the page that was shown in answer. */
      readonly httpStatus: number
    }
  | {
      readonly kind: 'action'
      /** Name of the action. */
      readonly action: string
      /** Of a correction: the stage, and its outcome before. */
      readonly stage?: string
      readonly was?: string
      /** What tells the movement apart from an equal one, where it is not a serial number. */
      readonly toldApartBy?: Exclude<ToldApartBy, 'serial-number'>
      /** The fault that did it. Absent where a person or a test did. */
      readonly fault?: FaultName
    }
  /** A fault struck a callback, or an order that no request decided. What strikes a request is in the call log. */
  | { readonly kind: 'fault'; readonly fault: FaultName }

export type JournalEntry = Happening & {
  /** Milliseconds since the epoch, on the gateway's clock. */
  readonly at: number
  readonly orderId: string
}

export type Journal = ReturnType<typeof createJournal>

/** @param size Entries that are kept, oldest dropped first. */
export function createJournal({ size, clock }: { readonly size: number; readonly clock: FakeClock }) {
  const entries = createRing<JournalEntry>(size)
  return {
    add(orderId: string, happening: Happening): void {
      entries.add(Object.freeze({ ...happening, orderId, at: clock.now() }))
    },
    /** Oldest first. */
    list: entries.list,
    ofOrder: (orderId: string): readonly JournalEntry[] => entries.list().filter(each => each.orderId === orderId),
    clear: entries.clear,
  }
}
