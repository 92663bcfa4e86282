/**
 * How many files each walk of ARCHITECTURE.md crosses: those in which anything is called meanwhile. Where a number changes, look at what came, and write
 * it there.
 */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createClient } from '@tillkit/client'
import { createFakeGateway } from '@tillkit/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { basket, card, openShop } from './till/shop.js'

const session = new Session()

beforeAll(async () => {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
})

afterAll(() => session.disconnect())

type Coverage = Awaited<ReturnType<typeof take>>
const take = async () => (await session.post('Profiler.takePreciseCoverage')).result

/** The source files of which something was called. */
const filesIn = (coverage: Coverage): readonly string[] =>
  coverage
    .filter(({ functions }) => functions.some(({ functionName, ranges: [all] }) => functionName !== '' && all?.count))
    .flatMap(({ url }) => /packages\/([\w-]+\/src\/.+\.ts)$/.exec(url)?.[1] ?? [])
    .sort()

/**
 * The files that a walk crosses most times. What is made once is there after the first time, and what an earlier test file has left under way is met
 * now and then. On a busy machine the profiler has missed a call of one file.
 */
async function filesCrossed(walk: (nth: number) => Promise<unknown>): Promise<readonly string[]> {
  await walk(1)
  const walks: (readonly string[])[] = []
  for (const nth of [2, 3, 4, 5, 6, 7, 8]) {
    await take()
    await walk(nth)
    walks.push(filesIn(await take()))
  }
  const files = [...new Set(walks.flat())].sort()
  return files.filter(file => walks.filter(each => each.includes(file)).length > walks.length / 2)
}

const isFake = (file: string): boolean => file.startsWith('testing/')

/** The number of files that ARCHITECTURE.md gives a walk. */
function said(walk: string): number {
  const text = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, count] = new RegExp(`\\*\\*${walk}\\*\\*, (\\d+) files`).exec(text) ?? []
  return Number(count)
}

const expectAsSaid = (walk: string, files: readonly string[]): void => {
  expect(files.length, `${walk} crosses:\n${files.join('\n')}\n`).toBe(said(walk))
}

it('from till.pay to the form, and from the callback to the handler', async () => {
  const shop = await openShop({
    before({ url = '' }, response) {
      if (url.startsWith('/payments/return/')) response.writeHead(200).end('The customer lingers.')
    },
  })
  const addresses: string[] = []
  const pay = await filesCrossed(async nth => {
    addresses.push((await shop.till.pay({ ...basket, reference: `basket-${nth}` })).address)
  })
  expectAsSaid(
    'From till.pay to the form',
    pay.filter(each => !isFake(each)),
  )
  const callback = await filesCrossed(async nth => {
    await shop.customerPays(addresses[nth - 1] ?? '')
    await shop.gateway.callbacks.idle()
  })
  expect(shop.told).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(nth => `basket-${nth} paid 10.00`))
  expectAsSaid(
    'From the callback to the handler',
    callback.filter(each => !isFake(each)),
  )
})

it('a request of a client, and the same one in the fake', async () => {
  const gateway = createFakeGateway()
  const client = createClient(gateway.clientOptions)
  const sale = await filesCrossed(nth =>
    client.sale({
      clientOrderId: `order-${nth}`,
      amount: '10.00',
      currency: 'EUR',
      email: 'joan@customer.example',
      ...card,
      redirectUrl: 'https://shop.example/back',
    }),
  )
  await client.close()
  await gateway.close()
  expectAsSaid(
    'A request of a client',
    sale.filter(each => !isFake(each)),
  )
  expectAsSaid('A request in the fake', sale.filter(isFake))
})
