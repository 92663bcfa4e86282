import type { Till } from '@tillkit/till'

/** A route handler, as Next.js checks it. */
export const handlerOf =
  (till: Till) =>
  async (request: Request): Promise<Response> => {
    const remoteAddress = request.headers.get('x-real-ip') ?? undefined
    return (await till.fetch(request, { remoteAddress })) ?? new Response('Not found', { status: 404 })
  }
