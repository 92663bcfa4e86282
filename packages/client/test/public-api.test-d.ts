import {
  type AsyncCheckoutFormRedirect,
  type AsyncResponse,
  control,
  type OperationName,
  operation,
  operations,
  type Reply,
  type SaleRequest,
  type StatusResponse,
} from '@tillkit/protocol'
import { type Dispatcher, MockAgent } from 'undici'
import { expectTypeOf } from 'vitest'
import {
  type AnyGatewayError,
  type AwaitedOutcome,
  type Client,
  type ClientOptions,
  createClient,
} from '../src/index.js'

declare const client: Client
const ids = { clientOrderId: 'o-1', orderId: '77' }

// A method for each operation, with its own records.
expectTypeOf<OperationName>().toExtend<keyof Client>()
expectTypeOf(client.capture(ids)).resolves.toEqualTypeOf<AsyncResponse>()
expectTypeOf(client.status({ clientOrderId: 'o-1' })).resolves.toEqualTypeOf<StatusResponse>()
expectTypeOf(client.saleForm).returns.resolves.toEqualTypeOf<AsyncCheckoutFormRedirect>()
expectTypeOf(client.sale).parameter(0).toEqualTypeOf<SaleRequest>()

// A card or a reference to one, an order by one id or the other.
const paying = { clientOrderId: 'o-1', amount: '1.00', currency: 'EUR', email: 'a@b.example' }
const card = { creditCardNumber: '4', cardPrintedName: 'A B', expireMonth: '1', expireYear: '2099', cvv2: '123' }
for (const name of ['sale', 'preauth'] as const) {
  void client[name]({ ...paying, ...card })
  void client[name]({ ...paying, cardRefId: '31' })
  void client[name]({ ...paying, cardRefId: '31', cvv2: '123' })
  // @ts-expect-error neither a card nor a reference
  void client[name](paying)
  // @ts-expect-error both
  void client[name]({ ...paying, ...card, cardRefId: '31' })
  // @ts-expect-error a part of the card
  void client[name]({ ...paying, creditCardNumber: '4' })
  // @ts-expect-error a reference has an expiry of its own
  void client[name]({ ...paying, cardRefId: '31', expireYear: '2099' })
}
void client.status({ orderId: '77' })
void client.status({ orderId: '77', byRequestSn: '4' })
// @ts-expect-error by no id
void client.status({ byRequestSn: '4' })

// An operation of one's own, and one of the table.
const plan = operation<{ readonly planId: string }, Reply & { readonly orderId: string }>({
  name: 'PLAN',
  path: '/api/v4/plan',
  signing: control(['login', 'clientOrderId']) as never,
  effect: 'changes',
  request: 'Plan',
  response: 'AsyncResponse',
  required: ['planId'],
  stages: [],
})
expectTypeOf(client.send(plan, { planId: '3' })).resolves.toHaveProperty('orderId')
expectTypeOf(client.send(operations.void, ids)).resolves.toEqualTypeOf<AsyncResponse>()
// @ts-expect-error that is no field of it
void client.send(plan, { planID: '3' })

// Mistakes that do not compile.
// @ts-expect-error a field is missing
void client.capture({ clientOrderId: 'o-1' })
// @ts-expect-error amount and currency travel together
void client.capture({ ...ids, amount: '1.00' })
// @ts-expect-error amounts are text
void client.return({ ...ids, amount: 1, currency: 'EUR' })
// @ts-expect-error a void takes no amount
void client.void({ ...ids, amount: '1.00' })
// @ts-expect-error there is no such operation
void client.charge(ids)
// @ts-expect-error the login is needed
createClient({ baseUrl: 'https://gate.example', endpointId: 39 })

// Dispatchers and ports.
expectTypeOf<Dispatcher>().toExtend<NonNullable<ClientOptions['dispatcher']>>()
expectTypeOf(new MockAgent()).toExtend<NonNullable<ClientOptions['dispatcher']>>()
expectTypeOf(client.environment).toEqualTypeOf<'test' | 'production' | undefined>()
expectTypeOf(client.login).toEqualTypeOf<string>()
// @ts-expect-error a client keeps nothing
createClient({ baseUrl: 'https://gate.example', endpointId: 39, login: 'm', store: {} })
// @ts-expect-error the id of a part is for what keeps it
void client.return({ ...ids, amount: '1.00', currency: 'EUR' }, { attemptId: 'parcel-2' })
void client.prepare(operations.return, { ...ids, amount: '1.00', currency: 'EUR' }, { attemptId: 'parcel-2' })

// Errors narrow by code, and every code is handled.
export function advice(error: AnyGatewayError): string {
  switch (error.code) {
    case 'ERR_INVALID_REQUEST':
      return error.field
    case 'ERR_ALREADY_SENT':
      return `${error.field} ${error.earlierEnding}`
    case 'ERR_OPEN_CHANGE':
      return error.openAttempt.attemptId
    case 'ERR_REQUEST_REFUSED':
    case 'ERR_GATEWAY_FAILURE':
    case 'ERR_UNREADABLE_REPLY':
      return `${error.httpStatus} ${error.errorCode}`
    case 'ERR_AUTHENTICATION_REFUSED':
      return `${error.clockDifference}`
    case 'ERR_NOT_SENT':
      return 'send it again'
    case 'ERR_OUTCOME_UNKNOWN':
      return `${error.cause.code} ${error.attempt.end?.kind}`
    case 'ERR_TRANSPORT':
      return error.phase
  }
}

// Outcomes narrow by their word, and every one is handled. A step names the method that comes next.
export async function act(ended: AwaitedOutcome): Promise<unknown> {
  switch (ended.kind) {
    case 'approved':
    case 'declined':
    case 'filtered':
    case 'error':
      return [ended.stage, ended.moneyMoved, ended.evidence]
    case 'needs-customer': {
      const { step } = ended
      if (step.kind === 'method') return client[step.upload]({ ...ids, threeDSCompInd: 'U' })
      if (step.kind === 'challenge') return client[step.upload]({ ...ids, cres: step.creq })
      if (step.kind === 'pares') return client[step.upload]({ ...ids, paRes: step.paReq })
      return step.redirectTo ?? step.html
    }
    case 'needs-person':
      return ended.reason
    case 'still-unknown':
      return [ended.reason, ended.asked, ended.answered]
  }
}
void client.awaitOutcome({ ...ids, stages: ['sale'] })
void client.awaitOutcome({ ...ids, stages: ['sale'] }, { shownSteps: [] })
// What a merchant keeps in a variable needs no `as const`.
const inVariable = { stages: ['capture', 'void'], serialNumber: 'sn', amount: '10.00', currency: 'EUR' }
void client.awaitOutcome({ ...ids, ...inVariable })
// @ts-expect-error stages are text
void client.awaitOutcome({ ...ids, stages: [1] })
// @ts-expect-error amount and currency travel together
void client.awaitOutcome({ ...ids, stages: ['sale'], amount: '1.00' })
// @ts-expect-error the schedule is the only repetition
void client.awaitOutcome({ ...ids, stages: ['sale'] }, { retries: 2 })
