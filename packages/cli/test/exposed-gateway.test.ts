import type { FakeGateway } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { createGateway } from '../src/index.js'

let gateway: FakeGateway
afterEach(() => gateway.close())

it.each(['127.0.0.1', 'localhost'])('answers the control API on %s', async host => {
  gateway = createGateway()
  const { origin } = await gateway.listen({ host })
  expect((await request(`${origin}/__gateway/api/`)).statusCode).toBe(200)
})

it('listens everywhere when somebody says so, and is reached by numbers', async () => {
  gateway = createGateway()
  const { origin, port } = await gateway.listen({ host: '0.0.0.0', exposed: true })
  const ask = (host: string) => request(`${origin}/__gateway/api/`, { headers: { host } })
  expect((await ask(`192.0.2.1:${port}`)).statusCode).toBe(200)
  expect((await ask(`attacker.example:${port}`)).statusCode).toBe(403)
})

it('keeps to this machine on its own address, exposed or not', async () => {
  gateway = createGateway()
  const { origin, port } = await gateway.listen({ exposed: true })
  const { statusCode } = await request(`${origin}/__gateway/api/`, { headers: { host: `192.0.2.1:${port}` } })
  expect(statusCode).toBe(403)
})

it('tells the origin that it was told', async () => {
  gateway = createGateway()
  const address = await gateway.listen({ host: '0.0.0.0', exposed: true, publicOrigin: 'http://gateway:4010' })
  const { body } = await request(`http://127.0.0.1:${address.port}/__gateway/api/`)
  expect(await body.json()).toMatchObject({ baseUrl: 'http://gateway:4010/paynet' })
})
