/** `till.check` asks the till's own address whether its routes are there. */
import { createFakeGateway } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createTill, type Till } from '../../src/index.js'
import { openShop } from './shop.js'

const addressOf = async (till: Till) => {
  const [report] = await till.check()
  const found = report?.findings.find(({ subject }) => subject === 'address')
  return { of: report?.verdict, found, text: report?.text }
}

async function tillAt(address: string, { isClosed = false } = {}) {
  const gateway = createFakeGateway()
  const shop = await openShop({ gateway })
  if (isClosed) await shop.close()
  const options = { account: gateway.clientOptions, store: { ...shop.till.client.payments.store }, returnTo: () => '/' }
  const till = createTill({ ...options, address: address.replace('shop:', shop.origin), onOutcome: () => {} })
  onTestFinished(() => till.close())
  return till
}

it('finds them where they are mounted', async () => {
  const { till } = await openShop()
  expect(await addressOf(till)).toMatchObject({
    of: 'ok',
    found: { verdict: 'ok', explanation: 'The routes of a till answer there.' },
  })
})

it('finds them in another process', async () => {
  expect(await addressOf(await tillAt('shop:/payments'))).toMatchObject({ found: { verdict: 'ok' } })
})

it('says how to mount them where something else answers', async () => {
  const { of, found, text } = await addressOf(await tillAt('shop:/pay'))
  expect([of, found?.verdict]).toEqual(['wrong', 'wrong'])
  expect(found?.explanation).toMatch(
    /^Something else answers at http:\/\/127\.0\.0\.1:\d+\/pay, with HTTP 200: .* app\.use\("\/pay", till\.express\(\)\)\.$/,
  )
  expect(text).toContain(found?.explanation)
})

it('cannot tell where nothing answers, and says why', async () => {
  const { of, found } = await addressOf(await tillAt('shop:/payments', { isClosed: true }))
  expect([of, found?.verdict]).toEqual(['ok', 'cannot-tell'])
  expect(found?.explanation).toMatch(
    /^Nothing answers this process at http:\/\/127\.0\.0\.1:\d+\/payments: Error ECONNREFUSED: .*no server listens/,
  )
})
