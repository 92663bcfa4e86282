import { defaultProfile } from '../src/profile/profile.js'
import type { WireProfile } from '../src/profile/types.js'
import type { PaymentDocument } from '../src/store/document.js'
import { type Payment, paymentOf } from '../src/store/pay/payment.js'
import { replay } from '../src/store/pay/replay.js'

/** A payment as it is by its document, and as its timeline says that it is, after the timeline has been through JSON. */
export function replayed(
  document: PaymentDocument,
  { at, profile = defaultProfile }: { readonly at: number; readonly profile?: WireProfile },
): { readonly known: Payment; readonly again: Payment } {
  const view = { reference: document.reference, at, profile, patience: 60_000 }
  const known = paymentOf(document, view)
  return { known, again: replay(JSON.parse(JSON.stringify(known.timeline)), view) }
}
