/** The table of hostile and odd callbacks: each with its answer, the reason for the log, and what the merchant's function was called with. */
import { describe, expect, it } from 'vitest'
import { callbackDesk, controlKey } from './callback-desk.js'
import { callbacks, inWords, send, statusOf, table } from './hostile-callbacks.js'
import { newest, serve } from './serve.js'

describe.each(newest)('a callback under %s', (_version, express) => {
  it.each(callbacks)('%s', async (_name, callback) => {
    const desk = callbackDesk()
    desk.desk.status = statusOf
    const app = express()
    app.all('/payments/callback', desk.handler)
    await using served = await serve(app)
    const { status, text } = await send(served.origin, callback)
    const reasons = [...desk.rejections.map(({ reason }) => reason), ...desk.reports.map(({ kind }) => kind)]
    expect({ answer: status, reasons, told: desk.told.map(inWords) }).toEqual({
      answer: callback.answer,
      reasons: callback.reason === null ? [] : [callback.reason],
      told: callback.told,
    })
    // Whoever is refused learns nothing, and asking status is not theirs to cause.
    if (status === 403) expect([text, desk.asked]).toEqual(['', []])
    expect(({} as Record<string, unknown>).status).toBeUndefined()
  })
})

describe('the table of hostile callbacks', () => {
  it('is signed with the key of the tests, has sixty entries and no two of a name', () => {
    expect(table.controlKey).toBe(controlKey)
    expect(new Set(table.callbacks.map(({ name }) => name)).size).toBe(table.callbacks.length)
    expect(table.callbacks.length).toBeGreaterThanOrEqual(60)
  })
})
