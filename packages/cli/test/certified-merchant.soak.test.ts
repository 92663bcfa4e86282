import { readFile } from 'node:fs/promises'
import { createFakeGateway } from '@tillkit/testing'
import { createTill, memoryStore } from '@tillkit/till'
import express from 'express'
import { expect, it, vi } from 'vitest'
import { freePort } from '../../express-middleware/test/listening.js'
import { certify, describeCertification } from '../src/index.js'
import { startMerchant } from './certified-merchant.js'
import { addDoors } from './certified-till.js'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
const blocksOf = async (page: string) => (await read(page)).match(/(?<=```ts\n).*?(?=```)/gs)

it('a merchant of a page passes every case of certify, over HTTP', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue() // of what is done to it
  const report = await certify(startMerchant)
  warned.mockRestore()
  expect(report.passed, describeCertification(report)).toBe(true)
  expect(report.cases.length).toBeGreaterThan(40)
  expect(report.cases.filter(({ applied }) => !applied).map(({ name }) => name)).toEqual(['forged browser return'])
})

it('docs/certify.md shows that merchant', async () => {
  expect(await blocksOf('../../../docs/certify.md')).toContain(await read('certified-merchant.ts'))
})

it('a till with the doors of a page, by its own clock, passes where the gateway never had the order', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const gateway = createFakeGateway({ processingTime: 2_000 })
  await gateway.listen()
  const port = await freePort()
  const till = createTill({
    account: gateway.clientOptions,
    store: memoryStore(),
    address: `http://127.0.0.1:${port}/payments`,
    returnTo: () => '/',
    onOutcome: () => undefined,
  })
  const app = express()
  app.use('/payments', till.express())
  addDoors(app, till)
  const server = app.listen(port, '127.0.0.1')
  await till.start()
  const door = (path: string) => `http://127.0.0.1:${port}/test/${path}`
  const unanswered = ['drop, approved', 'maintenance-page, declined', 'commit-then-drop, approved']
  const only = ['approved', 'declined', ...unanswered, 'pressed twice, approved']
  const merchant = { startPayment: door('pay'), isPaid: door('paid/{order}') }
  const report = await certify(merchant, { gateway, only, grace: 50 })
  expect(report.passed, describeCertification(report)).toBe(true)
  expect(report.cases.map(({ answers }) => [...new Set(Object.values(answers))].join())).toEqual([
    ...['paid', 'not-paid', 'open', 'open', 'open', 'paid'],
  ])
  server.close()
  server.closeAllConnections()
  await till.close()
  await gateway.close()
  warned.mockRestore()
})

it('docs/certify-any-language.md shows those doors', async () => {
  expect(await blocksOf('../../../docs/certify-any-language.md')).toContain(await read('certified-till.ts'))
})
