import { webResponse } from '@tillkit/express-middleware/core'
import { callbacks } from '../../payments.js'

export const GET = async (request: Request) => webResponse(await callbacks.answer(request), console.error)
export const POST = GET
