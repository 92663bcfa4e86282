/** Steps about stored cards, subscriptions and 3DS. */
import { deflateSync } from 'node:zlib'
import { emptyOrder, threeDSCompInd } from '@tillkit/protocol'
import { threeDSecure1Card } from '@tillkit/testing'
import { card, customer, cvv, euro } from './fixtures.js'
import { acknowledged, type Question, settled } from './outcome.js'
import { mustBe, type Step, type TourContext } from './step.js'
import { sale, shown } from './steps-payments.js'

const ownReply = 'its reply'

const storedCard: Step = {
  title: 'Store a card, look at it, charge it again, without its holder and with',
  async run(context) {
    const { client, print, newId } = context
    const sold = await sale(context, cvv.approved)
    const ids = { clientOrderId: sold.order.clientOrderId, orderId: sold.order.orderId ?? '' }
    const { cardRefId } = await client.createCardRef(ids)
    print({ operation: 'createCardRef', outcome: `card reference ${cardRefId}`, evidence: ownReply })
    const v4 = await client.createCardRefV4(ids)
    print({ operation: 'createCardRefV4', outcome: `card reference ${v4.cardRefId}`, evidence: ownReply })
    const info = await client.getCardInfo({ cardRefId })
    const { bin, brand, maskedPan, expireMonth, expireYear } = info
    mustBe('the card', `${bin} ${brand} ${maskedPan}`, '444444 VISA 444444******4448')
    const expiry = `${expireMonth}/${expireYear}`
    mustBe('its expiration', expiry, '12/2031')
    const described = `BIN ${bin}, ${brand}, ${maskedPan}, ${expiry}`
    print({ operation: 'getCardInfo', outcome: described, evidence: ownReply })
    const clientOrderId = newId()
    const reply = await client.makeRebill({ clientOrderId, cardRefId, ...euro('4.90') })
    const expected: Question['expected'] = { stages: ['sale'], ...euro('4.90') }
    const rebilled = await settled(context, { order: acknowledged(clientOrderId, reply), expected })
    mustBe('the rebill', rebilled.kind, 'approved')
    print({ operation: 'makeRebill', ...shown(rebilled) })
    const again = newId()
    const accepted = await client.sale({ clientOrderId: again, cardRefId, ...euro('4.90'), ...customer })
    const bought = await settled(context, { order: acknowledged(again, accepted), expected })
    mustBe('the sale by reference', bought.kind, 'approved')
    print({ operation: 'sale', detail: 'by card reference', ...shown(bought) })
  },
}

const subscription: Step = {
  title: 'Subscribe',
  async run({ client, print, newId }) {
    const { cvv2: _, ...source } = { ...card, cvv2: cvv.approved }
    const reply = await client.createRecurringPayment({
      ...source,
      clientOrderId: newId(),
      rpCardType: 'SRC',
      ...euro('9.00'),
      period: 'month',
      interval: '1',
      email: customer.email,
      firstName: customer.firstName,
      lastName: customer.lastName,
    })
    const outcome = `recurring payment ${reply.recurringPaymentId}`
    print({ operation: 'createRecurringPayment', outcome, evidence: ownReply })
  },
}

const threeDSecure2: Step = {
  title: '3DS 2: the method step runs out of time, the challenge succeeds',
  async run(context) {
    const { client, gateway, print } = context
    const started = await saleWith3DS(context, card)
    const startedAt = gateway.clock.now()
    const asked = await client.status(started.ids)
    mustBe('the 3DS step', asked.tdsStatus, 'MethodUrlFrame')
    await gateway.clock.advance(10_000)
    const indicator = threeDSCompInd({ methodUrlGiven: true, startedAt, now: gateway.clock.now() })
    mustBe('the completion indicator after ten seconds', indicator, 'N')
    if (indicator === undefined) return
    await client.uploadMethodUrlResult({ ...started.ids, threeDSCompInd: indicator })
    const { tdsStatus } = await client.status(started.ids)
    mustBe('the next 3DS step', tdsStatus, 'CReqForm')
    print({ operation: 'uploadMethodUrlResult', detail: `${indicator} after ten seconds`, outcome: 'challenge next' })
    const cres = JSON.stringify({ messageType: 'CRes', messageVersion: '2.2.0', transStatus: 'Y' })
    await client.uploadCresResult({ ...started.ids, cres: Buffer.from(cres).toString('base64url') })
    const ended = await settled(context, started.question)
    mustBe('the sale', ended.kind, 'approved')
    print({ operation: 'uploadCresResult', ...shown(ended) })
  },
}

const threeDSecure1: Step = {
  title: '3DS 1.0.2',
  async run(context) {
    const { client, print } = context
    const started = await saleWith3DS(context, { ...card, creditCardNumber: threeDSecure1Card })
    const { tdsStatus } = await client.status(started.ids)
    mustBe('the 3DS step', tdsStatus, 'PaReqForm')
    await client.uploadParesResult({ ...started.ids, paRes: authenticatedPaRes() })
    const ended = await settled(context, started.question)
    mustBe('the sale', ended.kind, 'approved')
    print({ operation: 'uploadParesResult', ...shown(ended) })
  },
}

async function saleWith3DS(
  { client, newId }: TourContext,
  payer: typeof card | (Omit<typeof card, 'creditCardNumber'> & { creditCardNumber: string }),
) {
  const clientOrderId = newId()
  const reply = await client.sale({ clientOrderId, ...euro('10.00'), ...payer, ...customer, cvv2: cvv.threeDSecure })
  const ids = { clientOrderId, orderId: reply.orderId }
  const expected: Question['expected'] = { stages: ['sale'], ...euro('10.00') }
  return { ids, question: { order: emptyOrder(ids), expected } }
}

/** What an issuer's server posts after a customer has proved who they are: XML, deflated, Base64. */
function authenticatedPaRes(): string {
  const xml = '<ThreeDSecure><Message><PARes><TX><status>Y</status></TX></PARes></Message></ThreeDSecure>'
  return deflateSync(xml).toString('base64')
}

/** Steps about stored cards, subscriptions and 3DS. */
export const cardSteps: readonly Step[] = [storedCard, subscription, threeDSecure2, threeDSecure1]
