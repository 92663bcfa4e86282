import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import * as testing from '../src/index.js'
import { type FaultRow, faultTable, gatewayMatchers } from '../src/index.js'

const blocksOf = async (page: string) =>
  (await read(`../../../docs/${page}.md`)).match(/(?<=```ts\n).*?(?=```)/gs) ?? []
const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

it('docs/fake-gateway.md shows an example that is compiled and runs', async () => {
  const [block] = await blocksOf('fake-gateway')
  expect(block).toBe((await read('docs-example.ts')).replace('../src/index.js', '@tillkit/testing'))
  const { north } = await import('./docs-example.js')
  expect(north).toMatchObject({ login: 'north', endpointId: '11' })
})

it('docs/testing.md shows tests that are run', async () => {
  const [, ...shown] = await blocksOf('testing') // the first one is on the till: examples/shop/test/your-shop.test.ts
  const names = ['docs-in-tests.test.ts', 'docs-recording.test.ts']
  const files = await Promise.all(names.map(read))
  const outside = (text: string) =>
    text.replace('../src/index.js', '@tillkit/testing').replace('../src/vitest.js', '@tillkit/testing/vitest')
  expect(shown).toEqual(files.map(outside))
})

it('docs/testing.md names every matcher and every function for it', async () => {
  const page = await read('../../../docs/testing.md')
  for (const name of Object.keys(gatewayMatchers)) expect(page).toMatch(new RegExp(`^\\| \`${name}\\(`, 'm'))
  const functions = page.match(/(?<=\| `)assert\w+(?=\()/g) ?? []
  expect(functions).toHaveLength(Object.keys(gatewayMatchers).length)
  expect(functions.filter(name => !(name in testing))).toEqual([])
})

it('docs/fake-gateway.md lists every fault with the words of the table', async () => {
  const shown = (await read('../../../docs/fake-gateway.md')).match(/^\| `[a-z-]+` \|.*$/gm)
  expect(shown).toEqual(Object.entries(faultTable).map(rowOf))
})

function rowOf([name, { does, at, delay }]: [string, FaultRow]): string {
  return `| \`${name}\` | ${does} | ${at} | ${delay === undefined ? '' : duration(delay)} |`
}

function duration(milliseconds: number): string {
  if (milliseconds % 86_400_000 === 0) return `${milliseconds / 86_400_000} d`
  return milliseconds % 60_000 === 0 ? `${milliseconds / 60_000} min` : `${milliseconds / 1_000} s`
}
