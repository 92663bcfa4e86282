import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operations } from '@tillkit/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { bundle } from '../../../packages/till/test/bundle.js'
import { start } from '../src/start.js'
import { walkTour } from '../src/tour/tour.js'

const here = dirname(fileURLToPath(import.meta.url))
const folder = mkdtempSync(join(here, '.killed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function walk() {
  const shopProgram = join(folder, 'shop-process.mjs')
  await bundle(join(here, '../src/shop-process.ts'), shopProgram)
  const written: string[] = []
  const errors: unknown[] = []
  const running = await start({ onError: error => errors.push(error) })
  const result = await walkTour({ ...running, shopProgram }, text => written.push(text))
  return { running, result, written, errors }
}

describe('the tour', () => {
  let walking: ReturnType<typeof walk> | undefined
  /** The first test that asks starts the walk; all look at the same one. */
  const walked = () => {
    walking ??= walk()
    return walking
  }

  afterAll(async () => (await walking)?.running.close())

  it('walks every step to its end', async () => {
    const { errors, result } = await walked()
    expect(errors.filter(error => (error as { status?: number }).status !== 403)).toEqual([])
    expect(result.failed).toBeUndefined()
  })

  it('calls every operation', async () => {
    const { running, result } = await walked()
    const called = new Set(running.gateway.calls().map(({ operation }) => operation))
    expect(Object.keys(operations).filter(name => !called.has(name))).toEqual([])
    expect(result.uncalled).toEqual([])
  })

  it('shows a sale by card reference', async () => {
    const { running, result } = await walked()
    const line = result.lines.find(({ detail }) => detail === 'by card reference')
    expect(line).toMatchObject({ operation: 'sale', outcome: expect.stringContaining('approved') })
    const sales = running.gateway.calls().filter(({ operation }) => operation === 'sale')
    const named = sales.map(({ fields }) => fields.map(([name]) => name))
    const byReference = named.filter(names => names.includes('cardrefid'))
    expect(byReference).toHaveLength(1)
    expect(byReference.flat()).not.toContain('credit_card_number')
  })

  it('prints one line an outcome, with how we know it', async () => {
    const { written, result } = await walked()
    expect(result.lines.length).toBeGreaterThan(0)
    for (const { operation, evidence = 'status' } of result.lines) {
      expect(written.some(line => line.includes(operation) && line.endsWith(evidence))).toBe(true)
    }
    for (const line of written.join('\n').split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it('prints and records no secret', async () => {
    const { running, written } = await walked()
    const { controlKey } = running.gateway.clientOptions
    const everything = [
      written.join('\n'),
      JSON.stringify(running.gateway.calls()),
      JSON.stringify(await running.orders.latest(100)),
    ]
    for (const text of everything) {
      expect(text).not.toContain(controlKey)
      expect(text).not.toContain('4444444444444448')
      expect(text).not.toContain('"123"')
    }
  })
})
