import { readFile, writeFile } from 'node:fs/promises'
import { recordRun, replayRun } from '../src/index.js'
import { expect, it } from 'vitest'
import { createShop, sandbox } from './your-shop.js'

it.runIf(sandbox.reachable)('records', async () => {
  const recorder = recordRun({ dispatcher: sandbox.dispatcher, controlKeys: [sandbox.controlKey] })
  const shop = createShop({ ...sandbox, dispatcher: recorder.dispatcher })
  expect(await shop.pay({ order: 'o-1', amount: '10.00' })).toBe('approved')
  await writeFile(sandbox.file, JSON.stringify(recorder.recording(), undefined, 2))
})

it('replays', async () => {
  const replay = replayRun(JSON.parse(await readFile(sandbox.file, 'utf8')))
  const shop = createShop({ ...sandbox, dispatcher: replay.dispatcher })
  expect(await shop.pay({ order: 'o-1', amount: '10.00' })).toBe('approved')
  replay.assertAllReplayed()
})
