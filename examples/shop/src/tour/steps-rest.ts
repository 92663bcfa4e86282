/** The step for operations that were added to the table and that no other step calls: they are called with what their row needs. */
import { type AnyOperation, type OperationName, operations } from '@tillkit/protocol'
import { card, customer, cvv, euro } from './fixtures.js'
import type { Step, TourContext } from './step.js'
import { sale } from './steps-payments.js'

/** Calls every operation that the gateway has not seen called. */
export const rest: Step = {
  title: 'The rest of the table',
  async run(context) {
    for (const name of uncalled(context)) {
      const row: AnyOperation = operations[name]
      const about =
        row.effect === 'changes' ? (await sale(context, cvv.approved)).order : { clientOrderId: context.newId() }
      const values: Readonly<Record<string, string | undefined>> = {
        ...euro('10.00'),
        ...customer,
        ...card,
        cvv2: cvv.approved,
        redirectUrl: new URL('/back', context.shop).href,
        clientOrderId: about.clientOrderId,
        orderId: 'orderId' in about ? about.orderId : undefined,
      }
      const fields = [...row.required, ...(row.oneOf?.[0]?.needs ?? [])]
      const request = Object.fromEntries(fields.map(field => [field, values[field] ?? 'example']))
      const call: unknown = context.client[name]
      await (call as (request: object) => Promise<unknown>)(request)
      context.print({ operation: name, outcome: 'accepted', evidence: 'its reply' })
    }
  },
}

/** Operations that the gateway has not seen called. */
export function uncalled({ gateway }: Pick<TourContext, 'gateway'>): readonly OperationName[] {
  const called = new Set(gateway.calls().map(({ operation }) => operation))
  return (Object.keys(operations) as OperationName[]).filter(name => !called.has(name))
}
