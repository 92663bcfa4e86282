import { controlItems, defaultSigningProfile } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { resolveSigning, wireName } from '../profile/of-operation.js'
import { defaultProfile } from '../profile/profile.js'
import type { AnyOperation } from './operation.js'
import { operations } from './operations.js'
import { moneyMoved } from './stages.js'

/** Section 4 of the interface specification, its table of twenty-two rows as written there. */
const section4 = `
/api/3ds/v1/upload-cres-result | TDS_UPLOAD_CRES_RESULT | control | TdsCResResultRequest | AsyncResponse
/api/3ds/v1/upload-method-url-result | TDS_UPLOAD_METHOD_URL_RESULT | control | TdsMethodUrlResultRequest | AsyncResponse
/api/3ds/v1/upload-pares-result | TDS_UPLOAD_PARES_RESULT | control | TdsPaResResultRequest | AsyncResponse
/api/v2/account-verification-form | ACCOUNT_VERIFICATION_FORM | control | AccountVerificationFormRequest | AsyncCheckoutFormRedirect
/api/v2/account-verification | ACCOUNT_VERIFICATION | control | AccountVerificationRequest | AsyncResponse
/api/v2/capture | CAPTURE | control | CaptureRequest | AsyncResponse
/api/v2/create-card-ref | CARDREF | control | CreateCardRefRequest | CardRefAsyncResponse
/api/v2/get-card-info | CARDINFO | profile | GetCardInfoRequest | CardInfoAsyncResponse
/api/v2/make-rebill | REBILL | control | RebillRequest | AsyncResponse
/api/v2/payment-form | PAYMENTFORM | profile | PaymentFormRequest | AsyncCheckoutFormRedirect
/api/v2/payout-form | PAYOUTFORM | profile | PayoutFormRequest | AsyncCheckoutFormRedirect
/api/v2/payout | PAYOUT | oauth-hmac-sha1 | PayoutRequest | AsyncResponse
/api/v2/preauth-form | PREAUTHFORM | control | AuthFormRequest | AsyncCheckoutFormRedirect
/api/v2/preauth | PREAUTH | control | AuthRequest | AsyncResponse
/api/v2/return | RETURN | control | ReturnRequest | AsyncResponse
/api/v2/sale-form | SALEFORM | control | SaleFormRequest | AsyncCheckoutFormRedirect
/api/v2/sale | SALE | control | SaleRequest | AsyncResponse
/api/v2/status | STATUS | control | StatusRequest | StatusResponse
/api/v2/void | VOID | control | VoidRequest | AsyncResponse
/api/v4/create-card-ref | CARDREF_V4 | oauth-rsa-sha256 | CreateCardRefV4Request | CardRefV4AsyncResponse
/api/v4/create-recurring-payment | CREATE_RP_V4 | oauth-rsa-sha256 | RecurringPaymentForCreation | CreateRecurringPaymentResponse
/api/v4/payout-check | PAYOUT_V4_CHECK | oauth-rsa-sha256 | PayoutCheckRequest | AsyncResponse
`
  .trim()
  .split('\n')
  .map(row => row.split(' | '))

/** The end of section 4: endpoints seen only in signing examples, with the wire names shown there. */
const signingExamples = [
  ['/api/v2/pan-eligibility/send', 'oauth-hmac-sha1', ['client-order-id', 'sending-card-ref-id']],
  [
    '/api/v4/transfer',
    'oauth-rsa-sha256',
    [
      'amount',
      'card_printed_name',
      'card_recurring_payment_id',
      'client_orderid',
      'credit_card_number',
      'currency',
      'cvv2',
      'deposit2card',
      'destination-card-no',
      'destination_card_recurring_payment_id',
      'expire_month',
      'expire_year',
      'ipaddress',
      'order_desc',
      'redirect_url',
    ],
  ],
  [
    '/api/v4/transfer-by-ref',
    'oauth-rsa-sha256',
    ['client-order-id', 'amount', 'currency', 'order_desc', 'destination-card-no'],
  ],
  [
    '/api/v4/payout',
    'oauth-rsa-sha256',
    ['client-order-id', 'amount', 'currency', 'order_desc', 'account_number', 'bank_name'],
  ],
] as const

const rows: readonly AnyOperation[] = Object.values(operations)
const byPath = (path: string) => {
  const row = rows.find(each => each.path === path)
  if (row === undefined) throw new Error(`no operation has the path ${path}`)
  return row
}

describe('operations', () => {
  it.each(section4)('has %s as section 4 states it', (path, name, auth, request, response) => {
    const row = byPath(path ?? '')
    expect([row.name, row.signing.scheme, row.request, row.response]).toEqual([name, auth, request, response])
  })

  it.each(signingExamples)(
    'has %s with the scheme and the wire names of its signing example',
    (path, scheme, names) => {
      const row = byPath(path)
      expect(row.signing.scheme).toBe(scheme)
      const fields = [
        'accountNumber',
        'amount',
        'bankName',
        'cardPrintedName',
        'cardRecurringPaymentId',
        'clientOrderId',
        'creditCardNumber',
        'currency',
        'cvv2',
        'deposit2card',
        'destinationCardNo',
        'destinationCardRecurringPaymentId',
        'expireMonth',
        'expireYear',
        'ipAddress',
        'orderDesc',
        'redirectUrl',
        'sendingCardRefId',
      ]
      const written = fields.map(field => wireName(field, { operation: row, profile: defaultProfile }))
      expect(written).toEqual(expect.arrayContaining([...names]))
    },
  )

  it('has payout-pay, which section 4 names without showing', () => {
    expect(operations.payoutPay.path).toBe('/api/v4/payout-pay')
  })

  it('says of every operation what its requests can carry', () => {
    expect(rows.filter(row => row.takes === undefined)).toEqual([])
  })

  it('has one probe for each scheme, which is no hosted form and starts no stage of money', () => {
    const probes = rows.filter(row => row.probe !== undefined)
    expect(probes.map(row => row.signing.scheme).sort()).toEqual(['control', 'oauth-hmac-sha1', 'oauth-rsa-sha256'])
    for (const { stages } of probes) expect(stages.map(moneyMoved).filter(moved => moved !== 'none')).toEqual([])
  })

  it('names every path and every operation once', () => {
    expect(new Set(rows.map(row => row.path)).size).toBe(rows.length)
    expect(new Set(rows.map(row => row.name)).size).toBe(rows.length)
  })

  it('requires every signed item that section 5.1 does not let be empty', () => {
    const mayBeEmpty: Record<string, readonly string[]> = {
      CAPTURE: ['amount', 'currency'],
      RETURN: ['amount', 'currency'],
      STATUS: ['clientOrderId', 'orderId'],
    }
    for (const row of rows) {
      const signing = resolveSigning(row, defaultProfile)
      if (signing.scheme !== 'control') continue
      const items = signing.items.filter(item => item !== 'login' && item !== 'endpointId')
      expect(row.required, row.name).toEqual(
        expect.arrayContaining(items.filter(item => !(mayBeEmpty[row.name] ?? []).includes(item))),
      )
    }
  })

  it('changes what carries the original order ids and creates the rest, except what it reads', () => {
    const withEffect = (effect: string) => rows.filter(row => row.effect === effect).map(row => row.name)
    const specified = new Set(section4.map(([, name]) => name))
    expect(withEffect('reads').filter(name => specified.has(name))).toEqual(['CARDINFO', 'STATUS'])
    for (const name of withEffect('changes')) {
      expect(rows.find(row => row.name === name)?.required, name).toEqual(
        expect.arrayContaining(['clientOrderId', 'orderId']),
      )
    }
  })
})

describe('resolveSigning', () => {
  it('takes what the specification leaves open from the profile', () => {
    expect(resolveSigning(operations.getCardInfo, defaultProfile)).toEqual({
      scheme: 'control',
      items: controlItems.getCardInfo,
    })
    expect(resolveSigning(operations.payoutForm, defaultProfile)).toEqual({ scheme: 'oauth-hmac-sha1' })
    expect(resolveSigning(operations.payoutPay, defaultProfile)).toEqual(defaultSigningProfile.payoutPay.value)
  })
})
