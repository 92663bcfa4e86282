import { request } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway } from '../src/index.js'

let gateway: FakeGateway
afterEach(() => gateway.close())

it.each(['0.0.0.0', '::', '192.0.2.1', 'gateway.example', '127.0.0.1.attacker.example', ''])(
  'refuses to listen on %j, which other machines could reach',
  async host => {
    gateway = createFakeGateway()
    await expect(gateway.listen({ host })).rejects.toThrow('Other machines could reach')
    expect(gateway.clientOptions.baseUrl.origin).toBe('https://gateway.test')
  },
)

it.each(['127.0.0.1', 'localhost'])('listens on %s', async host => {
  gateway = createFakeGateway()
  const { origin, port } = await gateway.listen({ host })
  expect(origin).toBe(`http://${host}:${port}`)
  expect(gateway.clientOptions).not.toHaveProperty('allowPlainHttp')
  expect((await request(`${origin}/__gateway/health`)).statusCode).toBe(200)
})

it('listens everywhere when somebody says so, and is reached by numbers', async () => {
  gateway = createFakeGateway()
  const { origin, port } = await gateway.listen({ host: '0.0.0.0', exposed: true })
  expect(origin).toBe(`http://127.0.0.1:${port}`)
  const { statusCode } = await request(`${origin}/__gateway/health`, { headers: { host: `192.0.2.1:${port}` } })
  expect(statusCode).toBe(200)
})

it('writes the origin it was told into addresses', async () => {
  gateway = createFakeGateway()
  const address = await gateway.listen({ host: '0.0.0.0', exposed: true, publicOrigin: 'http://gateway:4010' })
  expect(address.baseUrl.href).toBe('http://gateway:4010/paynet')
  expect(gateway.clientOptions).toMatchObject({ baseUrl: address.baseUrl, allowPlainHttp: true })
})

it('refuses a public origin that has a path', async () => {
  gateway = createFakeGateway()
  await expect(gateway.listen({ publicOrigin: 'http://gateway/x' })).rejects.toThrow('"publicOrigin" is')
})
