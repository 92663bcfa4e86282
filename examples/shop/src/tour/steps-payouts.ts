/** Steps that send money, signed with HMAC-SHA1 and RSA-SHA256. */
import type { AsyncResponse, AwaitedStage, OperationName } from '@tillkit/protocol'
import { card, cvv, euro } from './fixtures.js'
import { acknowledged, arrives, settled } from './outcome.js'
import { mustBe, type Step, type TourContext } from './step.js'
import { sale, shown, told } from './steps-payments.js'

const account = { accountNumber: 'GB33BUKB20201555555555', bankName: 'Harbour Bank' } as const
const amount = euro('15.00')

const payouts: Step = {
  title: 'Payouts, signed with HMAC-SHA1',
  async run(context) {
    const { client } = context
    const to = (detail: string, destination: object) =>
      sends(context, { operation: 'payout', detail, stage: 'payout' }, clientOrderId =>
        client.payout({ clientOrderId, ...amount, ...destination }),
      )
    await to('to a bank account', account)
    await to('to a card', { creditCardNumber: card.creditCardNumber, cardPrintedName: card.cardPrintedName })
    await to('to a phone number', { phone: '+447700900123' })
  },
}

const eligibility: Step = {
  title: 'Ask whether a card can send',
  async run(context) {
    const { client } = context
    const sold = await sale(context, cvv.approved)
    const { cardRefId } = await client.createCardRef({
      clientOrderId: sold.order.clientOrderId,
      orderId: sold.order.orderId ?? '',
    })
    await sends(context, { operation: 'panEligibilitySend', stage: 'pan-eligibility' }, clientOrderId =>
      client.panEligibilitySend({ clientOrderId, sendingCardRefId: cardRefId }),
    )
    await sends(context, { operation: 'transferByRef', stage: 'transfer' }, clientOrderId =>
      client.transferByRef({ clientOrderId, ...amount, destinationCardRefId: cardRefId }),
    )
  },
}

const twoSteps: Step = {
  title: 'Payout in two steps, signed with RSA-SHA256',
  async run(context) {
    const { till, newId, print } = context
    const reference = newId()
    const payout = { reference, checked: true, ...amount, ...account }
    await till.payout(payout)
    print({ operation: 'payoutCheck', ...told(await arrives(context, reference, 'verified')) })
    await till.payout(payout)
    print({ operation: 'payoutPay', ...told(await arrives(context, reference, 'sent')) })
    mustBe('the same payout once more', (await till.payout(payout)).kind, 'sent')
  },
}

const transfers: Step = {
  title: 'Transfers and payouts of v4, signed with RSA-SHA256',
  async run(context) {
    const { till, client, newId, print } = context
    await sends(context, { operation: 'transfer', detail: 'card to card', stage: 'transfer' }, clientOrderId =>
      client.transfer({
        clientOrderId,
        ...amount,
        ...card,
        cvv2: cvv.approved,
        destinationCardNo: '5555555555554444',
        ipAddress: '127.0.0.1',
      }),
    )
    await sends(context, { operation: 'transfer', detail: 'deposit to card', stage: 'transfer' }, clientOrderId =>
      client.transfer({ clientOrderId, ...amount, deposit2card: true, destinationCardNo: '5555555555554444' }),
    )
    const reference = newId()
    await till.payout({ reference, ...amount, ...account })
    const sent = await arrives(context, reference, 'sent')
    print({ operation: 'payoutV4', detail: 'to a bank account', ...told(sent) })
  },
}

/** What a line about sending says. */
interface Sending {
  readonly operation: OperationName
  readonly detail?: string
  readonly stage: AwaitedStage
}

/** Sends, waits for the outcome and prints it. */
async function sends(
  context: TourContext,
  { stage, ...line }: Sending,
  send: (clientOrderId: string) => Promise<AsyncResponse>,
): Promise<void> {
  const clientOrderId = context.newId()
  const order = acknowledged(clientOrderId, await send(clientOrderId))
  const money = stage === 'pan-eligibility' ? {} : amount
  const sent = await settled(context, { order, expected: { stages: [stage], ...money } })
  mustBe(`the ${stage}`, sent.kind, 'approved')
  context.print({ ...line, ...shown(sent) })
}

/** Steps that send money. */
export const payoutSteps: readonly Step[] = [payouts, eligibility, twoSteps, transfers]
