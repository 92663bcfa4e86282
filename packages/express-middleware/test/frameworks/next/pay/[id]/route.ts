import { webResponse } from '@tillkit/express-middleware/core'
import { forms, orderToPay } from '../../../payments.js'

export async function POST(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  return webResponse(await forms.open(orderToPay((await params).id)), console.error)
}
