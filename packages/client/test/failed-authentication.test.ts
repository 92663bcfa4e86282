/** What a failed authentication tells: whose fault it may be, and by how much the clocks differ. */
import { describe, expect, it } from 'vitest'
import { failingCalls } from './failing-calls.js'
import { reply } from './gateway-server.js'
import { otherPrivateKey } from './other-keys.js'
import { saleRequest } from './sample-requests.js'

const { now, open } = failingCalls()

describe('a failed authentication', () => {
  const payoutRequest = { clientOrderId: 'p-1', amount: '5.00', currency: 'EUR', accountNumber: '40817' }
  const time = Date.UTC(2026, 0, 2, 3, 9, 5)
  const headers = ['Date: Fri, 02 Jan 2026 03:04:05 GMT']

  it.each([401, 403])('with status %i is a refusal that compares the clocks', async status => {
    now.server.behave(reply({ status, headers, body: '{"type":"error","error-message":"Signature mismatch"}' }))
    const own = open({ clock: () => time })
    const call = own.payout(payoutRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_AUTHENTICATION_REFUSED', clockDifference: 300 })
    await expect(call).rejects.toThrow('Our clock is 300 s ahead of the gateway’s')
    await expect(call).rejects.toThrow('Check "login", "controlKey" and the endpoint')
    await own.close()
  })

  it('does not blame a clock for a control value, which carries no time', async () => {
    now.server.behave(reply({ status: 401, headers, body: '{"type":"error","error-message":"Signature mismatch"}' }))
    const own = open({ clock: () => time })
    const call = own.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ clockDifference: 300 })
    await expect(call).rejects.not.toThrow(/clock/)
    await expect(call).rejects.toThrow('Signature mismatch. Check "login", "controlKey" and the endpoint')
    await own.close()
  })

  it('says nothing of clocks where there is none to compare with', async () => {
    now.server.behave(reply({ status: 401, body: '{"type":"error","error-message":"Signature mismatch"}' }))
    const call = now.client.payout(payoutRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_AUTHENTICATION_REFUSED' })
    await expect(call).rejects.not.toThrow(/clock/)
  })

  it('names the private key where that signs', async () => {
    now.server.behave(reply({ status: 401, headers, body: '{"type":"error","error-message":"Signature mismatch"}' }))
    const own = open({ privateKey: otherPrivateKey })
    await expect(own.payoutV4(payoutRequest)).rejects.toThrow('Check "login", "privateKey" and the endpoint')
    await own.close()
  })

  it('is unknown for money when something else than the gateway says so, and says what may be wrong', async () => {
    now.server.behave(reply({ status: 403, headers, type: 'text/html', body: '<h1>Forbidden</h1>' }))
    const call = now.client.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_UNREADABLE_REPLY' } })
    await expect(call).rejects.toThrow('Login or key may be wrong.')
    await expect(now.client.payout(payoutRequest)).rejects.toThrow('Login, key or clock may be wrong. Our clock is')
    await expect(now.client.status({ clientOrderId: 'o-1' })).rejects.toMatchObject({
      code: 'ERR_AUTHENTICATION_REFUSED',
    })
  })
})
