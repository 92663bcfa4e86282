/** Who pays in the tour, and with what. The outcome is decided by the CVV2, the gateway's published sandbox convention. */

/** The card of the gateway's public examples. */
export const card = {
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2031',
} as const

/** CVV2 values and what they do. */
export const cvv = { approved: '123', declinedNoFunds: '116', threeDSecure: '321' } as const

/** The customer. */
export const customer = {
  email: 'joan@customer.example',
  ipAddress: '127.0.0.1',
  firstName: 'Joan',
  lastName: 'Baker',
  address1: '12 Harbour Row',
  city: 'Falmouth',
  zipCode: 'TR11 3AB',
  country: 'GB',
} as const

/** A card as a customer types it into a hosted form, by wire name. */
export const typedCard = {
  credit_card_number: '4444 4444 4444 4448',
  card_printed_name: 'JOAN BAKER',
  expire_month: '12',
  expire_year: '2031',
  cvv2: cvv.approved,
} as const

/** Amounts of the tour, in euro. */
export const euro = (amount: string) => ({ amount, currency: 'EUR' }) as const
