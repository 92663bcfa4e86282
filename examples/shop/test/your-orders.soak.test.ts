/** docs/your-orders.md with as many customers as a small shop has at its busiest. */
import Database from 'libsql'
import { afterAll, expect, it, vi } from 'vitest'
import { fileOf, removeFiles, run } from './readme-examples.js'

const page = 'docs/your-orders.md'
afterAll(removeFiles)

/** In place of the page's only customer. */
const twentyAtOnce = `
const buy = async () => {
  const form = await fetch('http://127.0.0.1:4280/orders', { method: 'POST', redirect: 'manual' })
  await payAsCustomer(form, { gateway })
  return form.status
}
console.log(...new Set(await Promise.all(Array.from({ length: 20 }, buy))))
server.closeAllConnections()
`

it('keeps a row, paid, of each of 20 customers at once, as the books of the gateway have it', async () => {
  const { printed, gateway } = await run(page, 0, 20, code =>
    code.replace(/\/\/ In place of a customer[\s\S]*?(?=server\.close\(\))/, () => twentyAtOnce),
  )
  expect(printed).toEqual(['303'])
  const approved = gateway?.orders.list().filter(({ stages }) => stages.at(-1)?.status === 'approved')
  const paid = approved?.map(({ clientOrderId }) => clientOrderId).toSorted()
  expect(paid).toHaveLength(20)
  // A connection of the test's own: one that lost rows would show them nevertheless.
  const rows = new Database(fileOf('pottery.db')).prepare('select id, state from orders order by id').all([])
  expect(rows).toEqual(paid?.map(id => ({ id, state: 'paid' })))
})

it('tells again where the row of an order is missing, and says which', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const { printed } = await run(page, 0, 21, code =>
    code.replace("run(reference, 'new')", "run('another', 'new')").replace(
      /(?<=In place of a customer.*\n)[\s\S]*?(?=server\.close\(\))/,
      () => `const form = await fetch('http://127.0.0.1:4280/orders', { method: 'POST', redirect: 'manual' })
await payAsCustomer(form, { gateway })
console.log((await till.report()).failing.items.map(({ error }) => error).join())
`,
    ),
  )
  warn.mockRestore()
  expect(printed).toEqual([expect.stringMatching(/There is no order order-[0-9a-f-]+\./)])
})
