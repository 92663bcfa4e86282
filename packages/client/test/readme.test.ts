import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

describe('the README', () => {
  it('shows the example that is compiled and run here', async () => {
    const [example] = /(?<=```ts\n).*?(?=```)/s.exec(await read('../README.md')) ?? []
    const source = (await read('readme-example.ts')).replace(/ *\/\/ biome-ignore.*\n/, '')
    expect(example).toBe(source.replace('../src/index.js', '@tillkit/client'))
  })

  it('says what its example prints', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    await import('./readme-example.js')
    const printed = log.mock.calls.map(line => line.join(' '))
    log.mockRestore()
    expect(printed).toHaveLength(1)
    expect(await read('../README.md')).toContain(`It prints \`${printed[0]}\``)
  })
})
