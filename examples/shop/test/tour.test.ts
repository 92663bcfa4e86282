import { operations } from '@tillkit/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, start } from '../src/start.js'
import { type TourResult, walkTour } from '../src/tour/tour.js'

describe('the tour', () => {
  let running: Running
  let result: TourResult
  const written: string[] = []
  const errors: unknown[] = []

  beforeAll(async () => {
    running = await start({ onError: error => errors.push(error) })
    result = await walkTour(running, text => written.push(text))
  }, 180_000)

  afterAll(() => running?.close())

  it('walks every step to its end', () => {
    expect(errors.filter(error => (error as { status?: number }).status !== 403)).toEqual([])
    expect(result.failed).toBeUndefined()
  })

  it('calls every operation', () => {
    const called = new Set(running.gateway.calls().map(({ operation }) => operation))
    expect(Object.keys(operations).filter(name => !called.has(name))).toEqual([])
    expect(result.uncalled).toEqual([])
  })

  it('shows a sale by card reference', () => {
    const line = result.lines.find(({ detail }) => detail === 'by card reference')
    expect(line).toMatchObject({ operation: 'sale', outcome: expect.stringContaining('approved') })
    const sales = running.gateway.calls().filter(({ operation }) => operation === 'sale')
    const named = sales.map(({ fields }) => fields.map(([name]) => name))
    const byReference = named.filter(names => names.includes('cardrefid'))
    expect(byReference).toHaveLength(1)
    expect(byReference.flat()).not.toContain('credit_card_number')
  })

  it('prints one line an outcome, with how we know it', () => {
    for (const { operation, evidence } of result.lines) {
      expect(written.some(line => line.includes(operation) && line.endsWith(evidence))).toBe(true)
    }
  })

  it('prints and records no secret', async () => {
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
