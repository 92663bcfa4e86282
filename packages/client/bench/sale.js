/** The sale that every peer sends. The control key and the card are published examples. */
export const endpointId = 39
export const login = 'merchant-login'
export const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
export const prefix = '/paynet'

/** A sale as merchants send it: card, customer, browser's address and where to return to. */
export const saleOf = clientOrderId => ({
  clientOrderId,
  orderDesc: 'Order 902B4FF5, thank you!',
  amount: '10.42',
  currency: 'EUR',
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'John Smith',
  expireMonth: '11',
  expireYear: '2083',
  cvv2: '987',
  email: 'john.smith@gmail.com',
  ipAddress: '65.153.12.232',
  firstName: 'John',
  lastName: 'Smith',
  address1: '100 Main st, apt. 7',
  city: 'Seattle',
  state: 'WA',
  zipCode: '98102',
  country: 'US',
  phone: '+12063582043',
  redirectUrl: 'https://shop.example/orders/902B4FF5/return',
  serverCallbackUrl: 'https://shop.example/callbacks/gateway',
})

let last = 0

/** A new order id for every request, all of one length, so that every peer sends as many bytes. */
export const nextOrderId = () => `902B4FF5-${String(++last).padStart(10, '0')}`
