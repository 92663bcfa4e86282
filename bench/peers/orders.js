/**
 * The orders of a gateway for measurements, and what it says about them, in the words of the fake gateway. It checks the control value of
 * each request, and does nothing else that takes time.
 */
import { parse } from 'node:querystring'
import { controlKey, endpointId, login, minorUnits, pathOf, sha1 } from './sale.js'

/**
 * @param origin Where its forms are.
 * @returns `reply(path, form)`, the JSON that answers a request; and `pay(orderId)`, which says where to call back, and with which query.
 */
export function createOrders(origin) {
  const orders = new Map()
  let last = 8_000_000

  function openForm(fields) {
    const { client_orderid: reference, amount, currency, email, phone, server_callback_url: callbackUrl } = fields
    check(fields, `${endpointId}${reference}${minorUnits(amount)}${email}${controlKey}`)
    const orderId = String(++last)
    orders.set(orderId, { orderId, reference, amount, currency, email, phone, callbackUrl, isPaid: false })
    return {
      type: 'async-form-response',
      'serial-number': serialNumber(orderId, 'a'),
      'merchant-order-id': reference,
      'paynet-order-id': orderId,
      'end-point-id': endpointId,
      'redirect-url': `${origin}/paynet/form/${orderId}`,
    }
  }

  function statusOf(fields) {
    const { client_orderid: reference, orderid: orderId } = fields
    check(fields, `${login}${reference}${orderId}${controlKey}`)
    const { amount, currency, isPaid } = orders.get(orderId)
    return {
      type: 'status-response',
      'serial-number': serialNumber(orderId, 'b'),
      'merchant-order-id': reference,
      'paynet-order-id': orderId,
      'end-point-id': endpointId,
      status: isPaid ? 'approved' : 'processing',
      amount,
      currency,
      'transaction-type': 'sale',
      ...(isPaid && { 'order-stage': 'sale_approved', ...approvalOf(orderId) }),
      'gate-partial-reversal': 'enabled',
      'gate-partial-capture': 'enabled',
    }
  }

  return {
    reply(path, form) {
      const fields = parse(form)
      return JSON.stringify(path === pathOf('sale-form') ? openForm(fields) : statusOf(fields))
    },
    pay(orderId) {
      const order = orders.get(orderId)
      order.isPaid = true
      const { reference, amount, currency, email, phone, callbackUrl } = order
      const fields = {
        status: 'approved',
        orderid: orderId,
        merchant_order: reference,
        client_orderid: reference,
        type: 'sale',
        amount,
        currency,
        ...approvalOf(orderId),
        email,
        phone,
        control: sha1(`approved${orderId}${reference}${controlKey}`),
      }
      const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      return { url: new URL(callbackUrl), query: query.join('&') }
    },
  }
}

function check(fields, signed) {
  if (fields.control !== sha1(signed)) throw new Error(`A request has a wrong control value: ${JSON.stringify(fields)}`)
}

const serialNumber = (orderId, kind) => `6b0687f5-5bfa-5573-${kind}a39-${orderId.padStart(12, '0')}`

const approvalOf = orderId => ({
  'approval-code': orderId.slice(-6),
  'processor-rrn': orderId.padStart(12, '3'),
  descriptor: 'TILLKIT TEST',
})
