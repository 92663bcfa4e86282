/** A sale by card, which the gateway approves. */
export const sale = {
  clientOrderId: 'basket-7',
  amount: '10.00',
  currency: 'EUR',
  email: 'customer@shop.example',
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'A CUSTOMER',
  expireMonth: '11',
  expireYear: '2083',
  cvv2: '123',
}
