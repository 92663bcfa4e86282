import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { createFakeGateway } from '../src/index.js'
import { readReply } from './signed-request.js'

/** Sends a form that nobody signed; its control value only looks like one. */
async function forge(command: string, form: string) {
  const gateway = createFakeGateway()
  const { dispatcher, baseUrl } = gateway.clientOptions
  const { statusCode, body } = await request(`${baseUrl}/api/v2/${command}/39`, {
    method: 'POST',
    headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
    ...(dispatcher === undefined ? {} : { dispatcher }),
  })
  return { statusCode, message: readReply(await body.text())['error-message'] ?? '' }
}

const control = 'a'.repeat(40)

// Each of these kept the gateway busy for seconds or minutes: their cost grew with the square of their length.
describe('a forged request of a quarter of a megabyte', () => {
  it('is refused without a search when its items are long', async () => {
    const long = '12'.repeat(100_000)
    const { statusCode, message } = await forge(
      'sale',
      `client_orderid=o-1&email=${long}&amount=1.00&currency=EUR&control=${control}`,
    )
    expect(statusCode).toBe(401)
    expect(message).toContain('Control value does not match')
    expect(message.length).toBeLessThan(1_500)
  })

  it('is refused for a length that is documented before its control value is looked at', async () => {
    const { statusCode, message } = await forge('status', `client_orderid=${'a'.repeat(200_000)}&control=${control}`)
    expect({ statusCode, message }).toEqual({
      statusCode: 400,
      message: '"client_orderid" has 200000 characters; at most 128 are taken.',
    })
  })

  it('is refused when it is all names, and the repeated one is named', async () => {
    const names = Array.from({ length: 45_000 }, (_, index) => index.toString(36)).join('&')
    const { statusCode, message } = await forge('status', `${names}&last&last`)
    expect({ statusCode, message }).toEqual({ statusCode: 400, message: '"last" is in the body more than once.' })
  })
})
