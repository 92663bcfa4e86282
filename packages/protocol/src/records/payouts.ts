/**
 * Requests that send money: payouts, transfers and pan eligibility.
 *
 * @module
 */
import type { AmountFields, Extra, OrderFields } from './common.js'

/** Where a payout goes: a bank account, a card, an ewallet or a phone number. What is needed depends on the acquirer. */
export interface PayoutDestination {
  /** Bank account or ewallet, at most 24 characters; wire name `account_number`. */
  readonly accountNumber?: string
  /** Wire name `bank_name`. */
  readonly bankName?: string
  /** Wire name `bank_branch`. */
  readonly bankBranch?: string
  /** Wire name `bank_code`. */
  readonly bankCode?: string
  /** Wire name `bank_province`. */
  readonly bankProvince?: string
  /** Wire name `bank_city`. */
  readonly bankCity?: string
  /** Wire name `bank_address1`. */
  readonly bankAddress1?: string
  /** Wire name `bank_zip_code`. */
  readonly bankZipCode?: string
  /** At most 16 characters; wire name `routing_number`. */
  readonly routingNumber?: string
  /** Card number to pay to; wire name `credit_card_number`. */
  readonly creditCardNumber?: string
  /** Wire name `card_printed_name`. */
  readonly cardPrintedName?: string
  /** Wire name `expire_month`. */
  readonly expireMonth?: string
  /** Four digits; wire name `expire_year`. */
  readonly expireYear?: string
  /** Receiver, or the phone number of a fast payment; wire name `phone`. */
  readonly phone?: string
  /** Receiver; wire name `first_name`. */
  readonly firstName?: string
  /** Receiver; wire name `last_name`. */
  readonly lastName?: string
  /** Receiver; wire name `email`. */
  readonly email?: string
}

/** Fields of every payout. */
export interface PayoutFields extends OrderFields, AmountFields, PayoutDestination, Extra {
  /** Wire name `ipaddress`. */
  readonly ipAddress?: string
  /** At most 128 characters; wire name `purpose`. */
  readonly purpose?: string
  /** Wire name `server_callback_url`. */
  readonly serverCallbackUrl?: string
}

/** Sends funds; signed with HMAC-SHA1. */
export interface PayoutRequest extends PayoutFields {}

/** Sends funds; signed with RSA-SHA256. Its order id is `client-order-id` on the wire. */
export interface PayoutV4Request extends PayoutFields {
  /** Wire name `redirect_url`. */
  readonly redirectUrl?: string
}

/** Checks the recipient and registers a payout without releasing funds. */
export interface PayoutCheckRequest extends PayoutFields {}

/** Executes a checked payout. */
export interface PayoutPayRequest extends Extra {
  /** The order id given to the check; wire name `client_orderid`. */
  readonly clientOrderId: string
  /** The gateway's order id from the check's reply; wire name `orderid`. */
  readonly orderId: string
}

/** Asks for a hosted page that collects the destination of a payout. */
export interface PayoutFormRequest extends OrderFields, AmountFields, Extra {
  /** Wire name `redirect_url`. */
  readonly redirectUrl: string
  /** Wire name `ipaddress`. */
  readonly ipAddress?: string
  /** Wire name `purpose`. */
  readonly purpose?: string
  /** Wire name `server_callback_url`. */
  readonly serverCallbackUrl?: string
  /** Wire name `notify_url`. */
  readonly notifyUrl?: string
}

/** Card-to-card transfer, or from the merchant's deposit to a card. */
export interface TransferRequest extends OrderFields, AmountFields, Extra {
  /** Sender's card; wire name `credit_card_number`. */
  readonly creditCardNumber?: string
  /** Wire name `card_printed_name`. */
  readonly cardPrintedName?: string
  /** Wire name `expire_month`. */
  readonly expireMonth?: string
  /** Wire name `expire_year`. */
  readonly expireYear?: string
  /** Wire name `cvv2`. */
  readonly cvv2?: string
  /** Sender's card by subscription; wire name `card_recurring_payment_id`. */
  readonly cardRecurringPaymentId?: string
  /** Receiver's card; wire name `destination-card-no`. */
  readonly destinationCardNo?: string
  /** Receiver's card by subscription; wire name `destination_card_recurring_payment_id`. */
  readonly destinationCardRecurringPaymentId?: string
  /** Takes the money from the merchant's deposit; wire name `deposit2card`, written `true` or `false`. */
  readonly deposit2card?: boolean
  /** Wire name `ipaddress`. */
  readonly ipAddress?: string
  /** Wire name `redirect_url`. */
  readonly redirectUrl?: string
  /** Wire name `server_callback_url`. */
  readonly serverCallbackUrl?: string
}

/** Transfer from the merchant's deposit to a card. Its order id is `client-order-id` on the wire. */
export interface TransferByRefRequest extends OrderFields, AmountFields, Extra {
  /** Receiver's card number; this or `destinationCardRefId`. Wire name `destination-card-no`. */
  readonly destinationCardNo?: string
  /** Receiver's stored card; wire name `destination-card-ref-id`. */
  readonly destinationCardRefId?: string
  /** Wire name `ipaddress`. */
  readonly ipAddress?: string
  /** Wire name `server_callback_url`. */
  readonly serverCallbackUrl?: string
}

/** Asks whether a card can send. Its order id is `client-order-id` on the wire. */
export interface PanEligibilitySendRequest extends Extra {
  /** Wire name `client-order-id`. */
  readonly clientOrderId: string
  /** Sender's stored card; this or the card itself. Wire name `sending-card-ref-id`. */
  readonly sendingCardRefId?: string
  /** Sender's card number; wire name `sending-card-number`. */
  readonly sendingCardNumber?: string
  /** Wire name `card-printed-name`. */
  readonly cardPrintedName?: string
  /** Wire name `expire_month`. */
  readonly expireMonth?: string
  /** Wire name `expire_year`. */
  readonly expireYear?: string
  /** Wire name `server_callback_url`. */
  readonly serverCallbackUrl?: string
}
