import { till } from '../../../till.js'

export async function GET(request) {
  const remoteAddress = request.headers.get('x-real-ip') ?? undefined
  return (await till.fetch(request, { remoteAddress })) ?? new Response('Not found', { status: 404 })
}
export const POST = GET
