import type { FinalOutcome } from '@tillkit/protocol'
import type { FaultAt } from '../faults/fault-table.js'
import { latestStage, type Order, replaceStage } from '../orders/order.js'
import type { AcceptedCall, Fields, GatewayState } from '../state/gateway-state.js'
import { act, ImpossibleActionError, type OrderAction } from '../state/order-actions.js'

const actions: { readonly [Name in FaultAt<'order'>]: OrderAction['action'] } = {
  'corrected-later': 'correct',
  'reversed-later': 'reverse',
  'charged-back-later': 'charge-back',
}

/** Stages that leave money with the merchant, which can be taken back. */
const captured: readonly string[] = ['sale', 'capture']

/** Plans what a fault makes of the order: on the clock, once the stage that was just begun has ended. */
export function strikeOrder({ operation, row, fields, struck: strikes, gateway }: AcceptedCall): void {
  if (row.effect === 'reads') return
  const { faults, schedule, clock, callbackSender } = gateway
  const order = orderOf(fields, gateway)
  const stage = order === undefined ? undefined : latestStage(order)
  if (order === undefined || stage?.finalAt === undefined || stage.verdict?.outcome === 'unknown') return
  const fits = (fault: FaultAt<'order'>) =>
    fault === 'corrected-later' || (stage.verdict?.outcome === 'approved' && captured.includes(stage.stage))
  const struck = faults.strike({ at: 'order', operation, fits })
  if (struck === undefined) return
  strikes.push(struck.fault)
  const { orderId } = order
  const status = struck.status as FinalOutcome
  schedule.add(Math.max(stage.finalAt, clock.now()) + struck.delay, () => {
    try {
      act(
        { action: actions[struck.fault], orderId, ...(struck.fault === 'corrected-later' ? { status } : {}) },
        gateway,
        struck.fault,
      )
    } catch (error) {
      // In the meantime the merchant returned it all, or the order was corrected by hand: there is nothing left to do.
      if (!(error instanceof ImpossibleActionError)) throw error
    }
    return callbackSender.flush()
  })
}

/** Decides the outcome at once and delivers its callback, before the answer is written. */
export async function strikeAnswer({ operation, fields, struck: strikes, gateway }: AcceptedCall): Promise<void> {
  const { faults, orders, clock, callbackSender } = gateway
  const order = orderOf(fields, gateway)
  if (order === undefined || !callbackSender.isPending(latestStage(order))) return
  const struck = faults.strike({ at: 'answer', operation })
  if (struck === undefined) return
  strikes.push(struck.fault)
  const before = latestStage(order)
  const after = { ...before, finalAt: Math.min(before.finalAt ?? clock.now(), clock.now()) }
  const changed = replaceStage(order, { before, after })
  orders.put(changed)
  await callbackSender.hurry(changed, after)
}

/** A request that creates an order does not carry the gateway's id: it is about the latest order under its own. */
const orderOf = ({ orderId, clientOrderId = '' }: Fields, { orders }: GatewayState): Order | undefined =>
  orderId === undefined ? orders.byClientOrderId(clientOrderId) : orders.byOrderId(orderId)
