/** Account verification by an endpoint group, signed by hand: SHA-1 of node:crypto over text written here. */
import { createHash } from 'node:crypto'
import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway } from '../src/index.js'
import { readReply } from './signed-request.js'

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway({ endpointGroupId: 2545 })
})
afterEach(() => gateway.close())

/** @param signed The endpoint item that the control value covers. */
async function verify(path: string, { signed, fields }: { signed: string; fields: Record<string, string> }) {
  const { baseUrl, controlKey, dispatcher } = gateway.clientOptions
  const control = createHash('sha1').update(`${signed}o-1ada@shop.test${controlKey}`).digest('hex')
  const answer = await request(`${baseUrl.href}/api/v2/${path}/group/2545`, {
    method: 'POST',
    headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: encodeForm(Object.entries({ client_orderid: 'o-1', email: 'ada@shop.test', ...fields, control })),
    ...(dispatcher === undefined ? {} : { dispatcher }),
  })
  return { status: answer.statusCode, reply: readReply(await answer.body.text()) }
}

describe.each([
  [
    'account-verification',
    {
      credit_card_number: '4444444444444448',
      card_printed_name: 'ADA LOVELACE',
      expire_month: '12',
      expire_year: '2099',
      cvv2: '123',
    },
  ],
  ['account-verification-form', { redirect_url: 'http://127.0.0.1/back' }],
])('%s by group', (path, fields) => {
  it('is accepted when the group takes the place of the endpoint in the control value', async () => {
    expect(await verify(path, { signed: '2545', fields })).toMatchObject({
      status: 200,
      reply: { 'merchant-order-id': 'o-1' },
    })
  })

  it('is refused by the name of the mistake when the control value covers no endpoint', async () => {
    const { status, reply } = await verify(path, { signed: '', fields })
    expect(status).toBe(401)
    expect(reply['error-message']).toContain('item "endpointId"')
    expect(reply['error-message']).toContain('over ""; it must be made over "2545"')
    expect(gateway.calls().at(-1)?.explanation).toBe(reply['error-message'])
  })
})
