import { createFakeGateway } from '@tillkit/testing'
import { createClient } from '../src/index.js'
import { operation, type Reply } from '@tillkit/protocol'

interface EphemeralTicketResponse extends Reply {
  readonly ephemeralTicket: string
}

const createEphemeralTicket = operation<Record<never, never>, EphemeralTicketResponse>({
  name: 'CREATE_EPHEMERAL_TICKET',
  path: '/api/v4/create-ephemeral-ticket',
  signing: { scheme: 'oauth-rsa-sha256' },
  effect: 'reads', // no money moves: asking again makes another ticket, and the first one is left alone
  request: 'EphemeralTicketRequest',
  response: { ephemeralTicket: 'ephemeralTicket' }, // the reply's own fields, and their wire names
  required: [],
  stages: [],
})

const gateway = createFakeGateway({ operations: { createEphemeralTicket } })
gateway.handle({}, { createEphemeralTicket: () => ({ extra: { ephemeralTicket: 'ticket-1' } }) })
const client = createClient(gateway.clientOptions)

const { ephemeralTicket } = await client.send(createEphemeralTicket, {})
console.log(ephemeralTicket)
