import { webResponse } from '@tillkit/express-middleware/core'
import { customers } from '../../../payments.js'

export const GET = async (request: Request) => webResponse(await customers.answer(request), console.error)
export const POST = GET
