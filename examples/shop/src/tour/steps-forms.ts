/** The hosted forms that the shop itself does not use. */
import { type AsyncCheckoutFormRedirect, emptyOrder, type OperationName } from '@tillkit/protocol'
import type { NextStep, PaymentState } from '@tillkit/till'
import { open, submit } from './customer.js'
import { customer, euro, typedCard } from './fixtures.js'
import { arrives, type Question, settled } from './outcome.js'
import { mustBe, type Step, type TourContext } from './step.js'
import { shown, told } from './steps-payments.js'

const forms: Step = {
  title: 'The other hosted forms',
  async run(context) {
    const { till, client, shop } = context
    const redirectUrl = new URL('/', shop).href
    const amount = euro('12.00')
    const form = { ...customer, redirectUrl }
    await payOn(context, { operation: 'preauthForm', state: 'held' }, reference =>
      till.pay({ reference, hold: true, ...amount, ...customer }),
    )
    await payOn(context, { operation: 'accountVerificationForm', state: 'verified' }, reference =>
      till.verify({ reference, ...customer }),
    )
    await fillIn(context, { operation: 'paymentForm', expected: { stages: ['sale', 'preauth'], ...amount } }, id =>
      client.paymentForm({ clientOrderId: id, ...amount, ...form }),
    )
    const typed = { account_number: 'GB33BUKB20201555555555', bank_name: 'Harbour Bank' }
    await fillIn(context, { operation: 'payoutForm', expected: { stages: ['payout'], ...amount }, typed }, id =>
      client.payoutForm({ clientOrderId: id, ...amount, redirectUrl }),
    )
  },
}

/** Pays on a form that the till leads to. */
async function payOn(
  context: TourContext,
  { operation, state }: { readonly operation: OperationName; readonly state: PaymentState },
  begin: (reference: string) => Promise<NextStep>,
): Promise<void> {
  const reference = context.newId()
  const { address } = await begin(reference)
  await submit(await open(address), typedCard)
  context.print({ operation, ...told(await arrives(context, reference, state)) })
}

/** A form, what is typed into it, and what it is to lead to. */
interface Form {
  readonly operation: OperationName
  readonly expected: Question['expected']
  readonly typed?: Readonly<Record<string, string>>
}

async function fillIn(
  context: TourContext,
  { operation, expected, typed = typedCard }: Form,
  create: (clientOrderId: string) => Promise<AsyncCheckoutFormRedirect>,
): Promise<void> {
  const clientOrderId = context.newId()
  const { redirectUrl, orderId } = await create(clientOrderId)
  await submit(await open(redirectUrl), typed)
  const order = emptyOrder(orderId === undefined ? { clientOrderId } : { clientOrderId, orderId })
  const ended = await settled(context, { order, expected })
  mustBe(`what ${operation} led to`, ended.kind, 'approved')
  context.print({ operation, ...shown(ended) })
}

/** The other hosted forms. */
export const formSteps: readonly Step[] = [forms]
