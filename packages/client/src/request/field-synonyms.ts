/**
 * What other interfaces call the fields of this one.
 *
 * @module
 */
import { whenNeeded } from '../words/when-needed.js'

const synonyms = whenNeeded(
  (): ReadonlyMap<string, string> =>
    new Map(
      Object.entries({
        clientOrderId: 'merchantOrderId merchantOrder orderReference reference referenceId externalId',
        orderDesc: 'description orderDescription details',
        creditCardNumber: 'cardNumber card number pan ccNumber',
        cardPrintedName: 'cardHolder cardHolderName holder holderName nameOnCard cardName',
        expireMonth: 'expMonth expiryMonth expirationMonth',
        expireYear: 'expYear expiryYear expirationYear',
        cvv2: 'cvv cvc cvc2 securityCode cardCode',
        ipAddress: 'ip clientIp remoteIp userIp',
        address1: 'address street addressLine1 line1 streetAddress',
        zipCode: 'zip postcode postalCode',
        birthday: 'dob dateOfBirth birthDate',
        redirectUrl: 'returnUrl backUrl successUrl',
        serverCallbackUrl: 'callbackUrl webhookUrl webhook callback',
        notifyUrl: 'notificationUrl',
        accountNumber: 'iban account bankAccount accountNo',
        routingNumber: 'bic swift sortCode routing',
        byRequestSn: 'serialNumber requestSn',
      }).flatMap(([field, names]) => names.split(' ').map(name => [plain(name), field])),
    ),
)

/** Our name of what `name` is in other interfaces, undefined where none is known. */
export const fieldSynonym = (name: string): string | undefined => synonyms().get(plain(name))

function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}
