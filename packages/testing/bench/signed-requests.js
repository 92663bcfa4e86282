/** Requests that are signed beforehand, so that only the gateway is measured. */
import { operations } from '@tillkit/protocol'
import { controlValue, encodeForm } from '@tillkit/signing'

const headers = {
  accept: 'application/vnd.pay+json',
  'content-type': 'application/x-www-form-urlencoded',
}

/** What a merchant with every optional field sends: 21 fields. */
const customer = {
  amount: '10.42',
  currency: 'EUR',
  email: 'john.smith@gmail.com',
  order_desc: 'Order 902B4FF5, thank you!',
  first_name: 'John',
  last_name: 'Smith',
  address1: '100 Main st, apt. 7',
  city: 'Seattle',
  zip_code: '98102',
  country: 'US',
  state: 'WA',
  phone: '+12063582043',
  ipaddress: '65.153.12.232',
  site_url: 'https://shop.example/orders?id=902B4FF5',
  credit_card_number: '4444444444444448',
  card_printed_name: 'JOHN SMITH',
  expire_month: '12',
  expire_year: '2099',
  cvv2: '123',
}

/** A sale, complete as a dispatcher takes it. */
export function saleRequest({ baseUrl, endpointId, controlKey }, clientOrderId) {
  const values = { endpointId, clientOrderId, amount: '1042', email: customer.email }
  const control = controlValue(operations.sale.signing.items, values, controlKey)
  return request(baseUrl, `/api/v2/sale/${endpointId}`, { client_orderid: clientOrderId, ...customer, control })
}

/** A status request, complete as a dispatcher takes it. */
export function statusRequest({ baseUrl, endpointId, login, controlKey }, clientOrderId) {
  const control = controlValue(operations.status.signing.items, { login, clientOrderId, orderId: '' }, controlKey)
  return request(baseUrl, `/api/v2/status/${endpointId}`, { login, client_orderid: clientOrderId, control })
}

const request = ({ origin, pathname }, path, fields) => ({
  origin,
  path: `${pathname}${path}`,
  method: 'POST',
  headers,
  body: encodeForm(Object.entries(fields)),
})

/** Sends a request and gives back its HTTP status, the way a client does: as a dispatch handler. */
export const send = (dispatcher, options) =>
  new Promise((resolve, reject) => {
    let status
    dispatcher.dispatch(options, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode
      },
      onResponseData() {},
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => reject(error),
    })
  })
