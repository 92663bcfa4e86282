import type { AmountFields, CallbackFields, Extra, OrderFields } from './common.js'
import type { ChangeCallbackFields } from './order-changes.js'

/** Where a payout goes: a bank account, a card, an ewallet or a phone number. What is needed depends on the acquirer. */
export interface PayoutDestination {
  /** Bank account or ewallet, at most 24 characters; wire name `account_number`. */
  readonly accountNumber?: string
  /** Receiver's bank, at most 255 characters; wire name `bank_name`. */
  readonly bankName?: string
  /** Branch of the bank, at most 255 characters; wire name `bank_branch`. */
  readonly bankBranch?: string
  /** Code of the bank, at most 3 characters; wire name `bank_code`. */
  readonly bankCode?: string
  /** Province of the bank, no length is public; wire name `bank_province`. */
  readonly bankProvince?: string
  /** City of the bank, no length is public; wire name `bank_city`. */
  readonly bankCity?: string
  /** Street of the bank, at most 255 characters; wire name `bank_address1`. */
  readonly bankAddress1?: string
  /** Postal code of the bank, at most 255 characters; wire name `bank_zip_code`. */
  readonly bankZipCode?: string
  /** Routing number of the bank, at most 16 characters; wire name `routing_number`. */
  readonly routingNumber?: string
  /** Card number to pay to, 13 to 19 digits; wire name `credit_card_number`. */
  readonly creditCardNumber?: string
  /** Holder of that card as printed, at most 128 characters; wire name `card_printed_name`. */
  readonly cardPrintedName?: string
  /** Month of that card, `1` to `12`, at most 2 digits; wire name `expire_month`. */
  readonly expireMonth?: string
  /** Year of that card, 4 digits; wire name `expire_year`. */
  readonly expireYear?: string
  /** Receiver's phone, which is the destination of a fast payment, at most 50 characters; wire name `phone`. */
  readonly phone?: string
  /** Receiver's first name, at most 50 characters; wire name `first_name`. */
  readonly firstName?: string
  /** Receiver's last name, at most 50 characters; wire name `last_name`. */
  readonly lastName?: string
  /** Receiver's e-mail, at most 128 characters; wire name `email`. */
  readonly email?: string
}

/** Fields of every payout. */
export interface PayoutFields extends OrderFields, AmountFields, PayoutDestination, CallbackFields, Extra {
  /** What is paid for, at most 64 characters; wire name `order_desc`. */
  readonly orderDesc?: string
  /** Receiver's IPv4 or IPv6 address, at most 45 characters; wire name `ipaddress`. */
  readonly ipAddress?: string
  /** What the payout is for, at most 128 characters; wire name `purpose`. */
  readonly purpose?: string
}

/** Sends funds; signed with HMAC-SHA1. */
export interface PayoutRequest extends PayoutFields {}

/** Sends funds; signed with RSA-SHA256. */
export interface PayoutV4Request extends PayoutFields {
  /** The merchant's order id, unique for ever, at most 128 characters; wire name `client-order-id`. */
  readonly clientOrderId: string
  /** Absolute address the receiver returns to, in flows that redirect, at most 1024 characters; wire name `redirect_url`. */
  readonly redirectUrl?: string
}

/** Checks the recipient and registers a payout without releasing funds. Its fields are taken to be those of payout v4. */
export interface PayoutCheckRequest extends PayoutV4Request {}

/** Executes a checked payout. */
export interface PayoutPayRequest extends ChangeCallbackFields, Extra {
  /** The order id given to the check, at most 128 characters; wire name `client_orderid`. */
  readonly clientOrderId: string
  /** The gateway's order id from the check's reply, at most 20 characters; wire name `orderid`. */
  readonly orderId: string
}

/** Asks for a hosted page that collects the destination of a payout. */
export interface PayoutFormRequest extends OrderFields, AmountFields, CallbackFields, Extra {
  /** Absolute address the receiver returns to, whatever the outcome, at most 1024 characters; wire name `redirect_url`. */
  readonly redirectUrl: string
  /** Receiver's IPv4 or IPv6 address, at most 45 characters; wire name `ipaddress`. */
  readonly ipAddress?: string
  /** What the payout is for, at most 128 characters; wire name `purpose`. */
  readonly purpose?: string
}

/** Card-to-card transfer, or from the merchant's deposit to a card. */
export interface TransferRequest extends OrderFields, AmountFields, CallbackFields, Extra {
  /** Sender's card number, 13 to 19 digits; wire name `credit_card_number`. */
  readonly creditCardNumber?: string
  /** Sender as printed on the card, at most 128 characters; wire name `card_printed_name`. */
  readonly cardPrintedName?: string
  /** Month of the sender's card, `1` to `12`, at most 2 digits; wire name `expire_month`. */
  readonly expireMonth?: string
  /** Year of the sender's card, 4 digits; wire name `expire_year`. */
  readonly expireYear?: string
  /** Code on the sender's card, 3 or 4 digits; wire name `cvv2`. */
  readonly cvv2?: string
  /** Sender's card by subscription, at most 128 characters; wire name `card_recurring_payment_id`. */
  readonly cardRecurringPaymentId?: string
  /** Receiver's card number, 13 to 19 digits; wire name `destination-card-no`. */
  readonly destinationCardNo?: string
  /** Receiver's card by subscription, at most 128 characters; wire name `destination_card_recurring_payment_id`. */
  readonly destinationCardRecurringPaymentId?: string
  /** Takes the money from the merchant's deposit; wire name `deposit2card`. */
  readonly deposit2card?: boolean
  /** Sender's IPv4 or IPv6 address, at most 45 characters; wire name `ipaddress`. */
  readonly ipAddress?: string
  /** Absolute address the sender returns to, at most 1024 characters; wire name `redirect_url`. */
  readonly redirectUrl?: string
}

/** Transfer from the merchant's deposit to a card. */
export interface TransferByRefRequest extends OrderFields, AmountFields, CallbackFields, Extra {
  /** The merchant's order id, unique for ever, at most 128 characters; wire name `client-order-id`. */
  readonly clientOrderId: string
  /** Receiver's card number, 16 to 19 digits; this or `destinationCardRefId`; wire name `destination-card-no`. */
  readonly destinationCardNo?: string
  /** Receiver's stored card, at most 20 characters; wire name `destination-card-ref-id`. */
  readonly destinationCardRefId?: string
  /** Receiver's IPv4 or IPv6 address, at most 45 characters; wire name `ipaddress`. */
  readonly ipAddress?: string
}

/** Asks whether a card can send. */
export interface PanEligibilitySendRequest extends CallbackFields, Extra {
  /** The merchant's order id, unique for ever, at most 128 characters; wire name `client-order-id`. */
  readonly clientOrderId: string
  /** Sender's stored card, at most 20 characters; this or the card itself; wire name `sending-card-ref-id`. */
  readonly sendingCardRefId?: string
  /** Sender's card number, 13 to 19 digits; wire name `sending-card-number`. */
  readonly sendingCardNumber?: string
  /** Sender as printed on the card, at most 128 characters; wire name `card-printed-name`. */
  readonly cardPrintedName?: string
  /** Month of the sender's card, `1` to `12`, at most 2 digits; wire name `expire_month`. */
  readonly expireMonth?: string
  /** Year of the sender's card, 4 digits; wire name `expire_year`. */
  readonly expireYear?: string
}
