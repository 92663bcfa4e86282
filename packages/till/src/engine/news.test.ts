import { expect, it } from 'vitest'
import { createNews } from './news.js'

/** A wait that only its signal ends. */
const wait = (_: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })

it('ends a pause at a commit, also at one that came before the pause', async () => {
  const news = createNews()
  const listening = news.listen('basket-7')
  news.tell('basket-7')
  expect(await listening.pause(1_000, { wait })).toBe(true)
  const pausing = listening.pause(1_000, { wait })
  news.tell('basket-8')
  news.tell('basket-7')
  expect(await pausing).toBe(true)
})

it('says of a pause that was over, or that nobody waits for any more, that nothing came', async () => {
  const listening = createNews().listen('basket-7')
  expect(await listening.pause(1, { wait: async () => {} })).toBe(false)
  expect(await listening.pause(1_000, { wait, signal: AbortSignal.abort() })).toBe(false)
})

it('forgets what a listener has told itself, and all once it is over', async () => {
  const news = createNews()
  const listening = news.listen('basket-7')
  news.tell('basket-7')
  listening.forget()
  expect(await listening.pause(1, { wait: async () => {} })).toBe(false)
  listening.end()
  news.tell('basket-7')
  expect(await listening.pause(1, { wait: async () => {} })).toBe(false)
})
