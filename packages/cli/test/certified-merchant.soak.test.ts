import { readFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { certify, describeCertification } from '../src/index.js'
import { startMerchant } from './certified-merchant.js'

it('a merchant of a page passes every case of certify, over HTTP', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue() // of what is done to it
  const report = await certify(startMerchant)
  warned.mockRestore()
  expect(report.passed, describeCertification(report)).toBe(true)
  expect(report.cases.length).toBeGreaterThan(40)
  expect(report.cases.filter(({ applied }) => !applied).map(({ name }) => name)).toEqual(['forged browser return'])
})

it('docs/certify.md shows that merchant', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
  const blocks = (await read('../../../docs/certify.md')).match(/(?<=```ts\n).*?(?=```)/gs)
  expect(blocks).toContain(await read('certified-merchant.ts'))
})
