/**
 * The sale that every program takes: what the merchant asks for, and what the gateway has to be sent and sends for it. The control key is
 * a published example.
 */
import { createHash } from 'node:crypto'

export const endpointId = '39'
export const login = 'merchant'
export const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
export const prefix = '/paynet'

/** What the merchant knows of every sale; `reference` and the amount in minor units come on top. */
export const customer = {
  amount: '10.00',
  currency: 'EUR',
  email: 'ada@shop.example',
  phone: '+442079460000',
  ipAddress: '203.0.113.7',
  address1: '12 St James Square',
  city: 'London',
  zipCode: 'SW1Y 4LB',
  country: 'GB',
  orderDesc: 'A list',
}

/** The names of these fields at the gateway. */
const wireNames = { ipAddress: 'ipaddress', zipCode: 'zip_code', orderDesc: 'order_desc' }

export const headers = {
  accept: 'application/vnd.pay+json',
  'accept-encoding': 'identity',
  'content-type': 'application/x-www-form-urlencoded',
}

export const pathOf = operation => `${prefix}/api/v2/${operation}/${endpointId}`

export const sha1 = text => createHash('sha1').update(text).digest('hex')

/** Minor units of an amount with two digits. */
export const minorUnits = amount => amount.replace('.', '')

/** The body of the request that opens a hosted form. */
export function saleForm(reference, address) {
  let form = ''
  for (const [name, value] of Object.entries(customer)) {
    form += `${wireNames[name] ?? name}=${encodeURIComponent(value)}&`
  }
  const { amount, email } = customer
  const control = sha1(`${endpointId}${reference}${minorUnits(amount)}${email}${controlKey}`)
  const callback = encodeURIComponent(`${address}/callback`)
  const back = encodeURIComponent(`${address}/return/${reference}`)
  return `${form}server_callback_url=${callback}&notify_url=${callback}&client_orderid=${reference}&redirect_url=${back}&control=${control}`
}

/** The body of the request that asks status. */
export function statusForm(reference, orderId) {
  const control = sha1(`${login}${reference}${orderId}${controlKey}`)
  return `login=${login}&client_orderid=${reference}&orderid=${orderId}&control=${control}`
}

/**
 * The ids of the callback with this query.
 *
 * @returns Undefined where the control key did not sign it.
 */
export function callbackIn(query) {
  const { status, orderid: orderId, merchant_order: reference, control } = query
  return control === sha1(`${status}${orderId}${reference}${controlKey}`) ? { reference, orderId } : undefined
}

/** Whether a reply of status says that this order was paid. */
export const saysPaid = (reply, { reference, orderId }) =>
  reply.status === 'approved' &&
  reply['merchant-order-id'] === reference &&
  reply['paynet-order-id'] === orderId &&
  reply.amount === customer.amount &&
  reply.currency === customer.currency
