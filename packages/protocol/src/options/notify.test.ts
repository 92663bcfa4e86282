import { expect, it } from 'vitest'
import { notify } from './notify.js'

it.each([
  ['tells', () => undefined],
  ['drops what is thrown', () => expect.unreachable()],
  ['drops what is rejected later', () => Promise.reject(new Error('later'))],
])('%s', async (_what, tell) => {
  const rejected: unknown[] = []
  const note = (reason: unknown) => rejected.push(reason)
  process.on('unhandledRejection', note)
  let told = 0
  notify(() => {
    told += 1
    return tell()
  })
  // Node.js speaks of a rejection that nobody handled when all that was due is done.
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect([told, rejected]).toEqual([1, []])
})
