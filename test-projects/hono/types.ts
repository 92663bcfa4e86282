import { customerBrowser } from '@tillkit/express-middleware/core'
import type { Till } from '@tillkit/till'

export const answer = async (till: Till, request: Request, remoteAddress: string): Promise<Response> =>
  (await till.fetch(request, { remoteAddress })) ?? new Response('Not found', { status: 404 })

export const browserOf = async (request: Request, remoteAddress: string) =>
  customerBrowser(request, { remoteAddress, body: await request.formData() })
