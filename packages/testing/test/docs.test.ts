import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type FaultRow, faultTable } from '../src/index.js'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

it('docs/testing.md shows an example that is compiled and runs', async () => {
  const [block] = (await read('../../../docs/testing.md')).match(/(?<=```ts\n).*?(?=```)/s) ?? []
  expect(block).toBe((await read('docs-example.ts')).replace('../src/index.js', '@tillkit/testing'))
  const { north } = await import('./docs-example.js')
  expect(north).toMatchObject({ login: 'north', endpointId: '11' })
})

it('docs/testing.md lists every fault with the words of the table', async () => {
  const shown = (await read('../../../docs/testing.md')).match(/^\| `.*$/gm)
  expect(shown).toEqual(Object.entries(faultTable).map(rowOf))
})

function rowOf([name, { does, at, delay }]: [string, FaultRow]): string {
  return `| \`${name}\` | ${does} | ${at} | ${delay === undefined ? '' : duration(delay)} |`
}

function duration(milliseconds: number): string {
  if (milliseconds % 86_400_000 === 0) return `${milliseconds / 86_400_000} d`
  return milliseconds % 60_000 === 0 ? `${milliseconds / 60_000} min` : `${milliseconds / 1_000} s`
}
