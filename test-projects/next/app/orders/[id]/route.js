import { till } from '../../../till.js'

export const GET = async (_request, { params }) => new Response((await till.payment((await params).id)).state)
