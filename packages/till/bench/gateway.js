/**
 * The gateway of the measurements, a process of its own. Its parent says which order a customer has paid; it answers with how many calls
 * it had.
 */
import { createFakeGateway } from '@tillkit/testing'

// As many orders as are sold before the till asks about them: of one that the gateway has dropped nobody is told.
const gateway = createFakeGateway({ maxCalls: 10, maxOrders: 250_000 })
await gateway.listen()
const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
process.send({ baseUrl: baseUrl.href, endpointId, login, controlKey })
process.on('message', message => {
  const { orderId, isSilent } = typeof message === 'string' ? { orderId: message } : message
  if (isSilent) gateway.faults.arm('callback-never')
  gateway.act({ action: 'approve', orderId })
})
process.on('disconnect', () => process.exit())
