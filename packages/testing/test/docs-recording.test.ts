import { SnapshotAgent } from 'undici'
import { expect, it } from 'vitest'
import { createShop, sandbox } from './your-shop.js'

const recording = {
  snapshotPath: sandbox.file,
  matchBody: false, // so that nothing of what you send is kept: card numbers and control values are in the body
  excludeHeaders: ['authorization', 'set-cookie'],
}

it.runIf(sandbox.reachable)('records', async () => {
  const dispatcher = new SnapshotAgent({ ...recording, mode: 'record' })
  const shop = createShop({ ...sandbox, dispatcher })
  expect(await shop.pay({ order: 'o-1', amount: '10.00' })).toBe('approved')
  await dispatcher.close() // writes the file
})

it('replays', async () => {
  const dispatcher = new SnapshotAgent({ ...recording, mode: 'playback' })
  await dispatcher.loadSnapshots()
  const shop = createShop({ ...sandbox, dispatcher })
  expect(await shop.pay({ order: 'o-1', amount: '10.00' })).toBe('approved')
  await dispatcher.close()
})
