/**
 * A gateway in this process, behind no socket, that answers at once: what is measured with it is our own work.
 */
import { createOrders } from '../../../bench/peers/orders.js'
import { controlKey, endpointId, login, prefix } from '../../../bench/peers/sale.js'

const origin = 'https://gateway.example'

/** @returns `account` for a till, and `pay(orderId)`, the query of the callback once the customer has paid. */
export function stubGateway() {
  const orders = createOrders(origin)
  const dispatcher = {
    // A promise of the dispatcher: that a request is under way, it says before anything else.
    reportsStart: true,
    dispatch(options, handler) {
      queueMicrotask(() => {
        const controller = { abort() {}, pause() {}, resume() {} }
        handler.onRequestStart(controller, {})
        handler.onResponseStart(controller, 200, { 'content-type': 'application/vnd.pay+json' }, 'OK')
        handler.onResponseData(controller, Buffer.from(orders.reply(options.path, String(options.body))))
        handler.onResponseEnd(controller, {})
      })
      return true
    },
    close: async () => {},
    destroy: async () => {},
  }
  return {
    account: { baseUrl: `${origin}${prefix}`, endpointId, login, controlKey, dispatcher },
    pay: orderId => orders.pay(orderId).query,
  }
}
