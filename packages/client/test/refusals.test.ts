/** What counts as a refusal: the table of `refusal.ts`, a test for each row, over real HTTP. */
import { describe, expect, it } from 'vitest'
import { failingCalls } from './failing-calls.js'
import { reply } from './gateway-server.js'
import { firstOfEach, rows } from './soak.js'

const { now, failures } = failingCalls()

const text = { 'error-code': '8', 'error-message': 'Not like this' }
const validation = { type: 'validation-error', ...text }
const failure = { type: 'error', ...text }
/** The ids that the capture sends; of these the sale sends the first. */
const merchants = { 'merchant-order-id': 'o-1' }
const echo = { ...merchants, 'paynet-order-id': '77' }

const refused = ['refused', 'refused']
const unknown = ['unknown', 'unknown']
const creationUnknown = ['unknown', 'refused']

type Row = readonly [status: number, record: Readonly<Record<string, unknown>>, endings: readonly string[]]

const turnedAway = rows([401, 403, 404, 405, 406, 415], status => status === 401 || status === 403 || status === 404)

const table: readonly Row[] = [
  ...[200, 400, 402, 409, 422, ...turnedAway].map((status): Row => [status, validation, refused]),
  ...turnedAway.map((status): Row => [status, failure, refused]),
  ...[200, 202, 400, 402, 409, 500, 503].map((status): Row => [status, failure, unknown]),
  ...[500, 502, 503].map((status): Row => [status, validation, unknown]),
  ...[400, ...turnedAway].map((status): Row => [status, text, unknown]),
  ...[400, ...turnedAway].map((status): Row => [status, {}, unknown]),
  ...[400, 404].map((status): Row => [status, { ...text, type: 'something-else' }, unknown]),

  [400, { ...validation, ...merchants }, refused],
  [400, { ...validation, ...echo }, creationUnknown],
  [200, { ...validation, ...echo }, creationUnknown],
  [404, { ...failure, ...echo }, creationUnknown],
  [400, { ...validation, client_orderid: 'o-1', orderid: '77' }, creationUnknown],
  [400, { ...validation, 'merchant-order-id': ' o-1\n', 'paynet-order-id': 77 }, creationUnknown],
  [400, { ...failure, ...echo }, unknown],

  [400, { ...validation, ...merchants, 'paynet-order-id': '78' }, unknown],
  [400, { ...validation, 'merchant-order-id': 'o-2', 'paynet-order-id': '77' }, unknown],
  [401, { ...failure, 'paynet-order-id': '78' }, unknown],
  [400, { ...validation, order_id: '78' }, unknown],
  [400, { ...validation, ...echo, 'order-id': '78' }, unknown],
  [400, { ...validation, 'paynet-order-id': 'null' }, unknown],
  [400, { ...validation, 'card-ref-id': '1000' }, unknown],
  [400, { ...validation, 'recurring-payment-id': '350001' }, unknown],
  [400, { ...validation, cardrefid: '1000' }, unknown],
  [400, { ...validation, 'processor-tx-id': 'PNTEST-1' }, unknown],
  [400, { ...validation, 'processor-rrn': '510458047886' }, unknown],
  [400, { ...validation, transaction_id: '78' }, unknown],
  [400, { ...validation, unq_card_ref_id: '1000' }, unknown],
  [400, { ...validation, recurringPaymentId: '350001' }, unknown],

  ...[400, 200, 401, 404].flatMap((status): readonly Row[] => [
    [status, { ...validation, 'redirect-url': 'https://gate.example/form/1' }, unknown],
    [status, { ...validation, 'redirect-to': 'https://gate.example/3ds/1' }, unknown],
    [status, { ...validation, html: '<form></form>' }, unknown],
    [status, { ...validation, 'approval-code': '242805' }, unknown],
  ]),
  [400, { ...validation, redirect_url: 'https://gate.example/form/1' }, unknown],
  [400, { ...validation, 'redirect-uri': 'https://gate.example/form/1' }, unknown],
  [400, { ...validation, 'tds-creq-form-acs-url': 'https://acs.example/' }, unknown],
  [400, { ...validation, approvalCode: '242805' }, unknown],
  [400, { ...validation, 'approval-code': ' ', html: null }, refused],

  [400, { ...validation, status: 'approved' }, unknown],
  [401, { ...validation, status: 'processing' }, unknown],
  [400, { ...validation, Status: 'approved' }, unknown],
  [400, { ...validation, order_status: 'processing' }, unknown],
  [400, { ...validation, order_status: 'declined' }, refused],
  [422, { ...validation, status: 'declined' }, refused],
  [400, { ...text, type: 'async-response' }, unknown],
  [404, { ...text, type: 'status-response' }, unknown],
]

/** Daily one row of each record and ending; the statuses with which the same record ends alike are one kind. */
const isDaily = firstOfEach(([status, record, endings]: Row) => [record, endings, status < 500])

describe('a request that creates, and one that changes', () => {
  it.each(rows(table, isDaily))('HTTP %i with %j: they end %j, and are sent once', async (status, record, endings) => {
    const { sale, capture, arrived } = await failures(reply({ status, body: JSON.stringify(record) }))
    expect(now.ends.map(end => end?.kind)).toEqual(endings)
    for (const [at, error] of [sale, capture].entries()) {
      const isRefused = endings[at] === 'refused'
      expect(error.moneyMayHaveMoved).toBe(!isRefused)
      const code = status === 401 || status === 403 ? 'ERR_AUTHENTICATION_REFUSED' : 'ERR_REQUEST_REFUSED'
      expect(error.code).toBe(isRefused ? code : 'ERR_OUTCOME_UNKNOWN')
    }
    expect(arrived).toMatchObject({ sale: 1, capture: 1 })
  })

  it.each(turnedAway)('HTTP %i in another media type than the gateway’s: both end unknown', async status => {
    await failures(reply({ status, type: 'application/json', body: JSON.stringify(validation) }))
    expect(now.ends.map(end => end?.kind)).toEqual(unknown)
  })

  it('a request that was not let in is told where to look', async () => {
    const { sale } = await failures(reply({ status: 404, body: JSON.stringify(failure) }))
    expect(sale.message).toContain('Check "baseUrl", the path of the operation')
  })
})
