import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const guide = new URL('../../../docs/fake-gateway.md', import.meta.url)
const pages = [new URL('../README.md', import.meta.url), guide]
const read = (page: URL) => readFile(page, 'utf8')

it('README and docs/fake-gateway.md show pictures that are there', async () => {
  const shown = await Promise.all(
    pages.map(async page =>
      [...(await read(page)).matchAll(/\]\(([^)]*\.png)\)/g)].map(([, path = '']) => new URL(path, page)),
    ),
  )
  expect(shown.map(({ length }) => length)).toEqual([0, 4])
  for (const path of shown.flat()) {
    const start = (await readFile(path)).subarray(1, 4)
    expect([path.pathname, start.toString()]).toEqual([path.pathname, 'PNG'])
  }
})

it('the README stays short', async () => {
  const [readme = guide] = pages
  expect((await read(readme)).split('\n').length).toBeLessThan(120)
})
