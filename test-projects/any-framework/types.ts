import {
  type Answer,
  type CallbackReceiver,
  type CustomerReceiver,
  type HostedFormOpener,
  webResponse,
} from '@tillkit/express-middleware/core'

// No types of Express are there, and every declaration is checked: none must ask for them.
export async function handle(request: Request, receiver: CallbackReceiver | CustomerReceiver): Promise<Response> {
  const answer: Answer = await receiver.answer(request)
  return webResponse(answer, error => {
    throw error
  })
}

export const pay = (forms: HostedFormOpener): Promise<Answer> =>
  forms.open({ clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', email: 'joan@customer.example' })
