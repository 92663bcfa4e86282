import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FakeGateway } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
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

describe('the address of the dashboard', () => {
  const html = { accept: 'text/html' }
  /** @param publicOrigin It may have the port of the gateway, which is chosen first. */
  const listen = async (publicOrigin: (port: number) => string, exposed = true) => {
    gateway = createGateway()
    const other = createServer().listen(0)
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await new Promise(resolve => other.close(resolve))
    const host = exposed ? '0.0.0.0' : '127.0.0.1'
    return await gateway.listen({ port, host, exposed, publicOrigin: publicOrigin(port) })
  }

  it('is under the public origin where that has the port of the gateway, as in a container', async () => {
    const { port, controlOrigin = '' } = await listen(port => `http://gateway:${port}`)
    const { hostname, port: control } = new URL(controlOrigin)
    expect(hostname).toBe('gateway')
    expect((await request(`http://127.0.0.1:${control}/__gateway/`)).statusCode).toBe(200)
    // A browser on the host of the container knows it by another name, under the same ports.
    const ask = (host: string) => request(`http://127.0.0.1:${port}/`, { headers: { ...html, host } })
    expect((await ask(`gateway:${port}`)).headers.location).toBe(`${controlOrigin}/__gateway/`)
    expect((await ask(`localhost:${port}`)).headers.location).toBe(`http://localhost:${control}/__gateway/`)
    expect((await ask('localhost:80')).headers.location).toBe('/__gateway/')
  })

  it.each([true, false])(
    'is on this machine behind https, which the gateway does not speak; exposed: %s',
    async exposed => {
      const { port, controlOrigin = '' } = await listen(() => 'https://shop-tests.example', exposed)
      expect(new URL(controlOrigin).hostname).toBe('127.0.0.1')
      expect((await request(`${controlOrigin}/__gateway/`)).statusCode).toBe(200)
      expect((await request(`${controlOrigin}/__gateway/api/`)).statusCode).toBe(200)
      const behind = { ...html, host: 'shop-tests.example' }
      const { headers } = await request(`http://127.0.0.1:${port}/`, { headers: behind })
      expect(headers.location).toBe('/__gateway/')
    },
  )

  it('answers nobody on the port of the gateway where a tunnel leads to that, whatever name they say', async () => {
    const { port, controlOrigin = '' } = await listen(() => 'https://shop-tests.example', false)
    for (const host of ['shop-tests.example', `127.0.0.1:${port}`, new URL(controlOrigin).host]) {
      const { statusCode, body } = await request(`http://127.0.0.1:${port}/__gateway/`, { headers: { host } })
      expect(statusCode).toBe(403)
      expect(await body.text()).toContain(`Ask ${controlOrigin}, not ${host}.`)
    }
    const rebound = await request(`${controlOrigin}/__gateway/`, { headers: { host: 'attacker.example' } })
    expect(rebound.statusCode).toBe(403)
  })
})
