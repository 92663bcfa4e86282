import { describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, forEachSeed } from '../src/index.js'
import { pay } from './signed-request.js'

/** Fails where the fourth sale is the first to be lost. */
async function unlucky(seed: string): Promise<void> {
  const gateway = createFakeGateway({ seed, clock: createFakeClock({ base: () => 1_800_000_000_000 }) })
  gateway.faults.arm({ fault: 'drop', probability: 0.3 })
  let taken = 0
  for (const clientOrderId of ['1', '2', '3', '4']) {
    const lost = await pay(gateway, 'sale', { clientOrderId }).then(
      () => false,
      () => true,
    )
    if (lost) break
    taken += 1
  }
  if (taken === 3) throw new Error('three and no more')
}

describe('forEachSeed', () => {
  it('names the seed that fails, and that seed fails again', async () => {
    const failure: Error = await forEachSeed(200, unlucky).then(
      () => new Error('no seed failed'),
      error => error,
    )
    const seed = /^Failed with the seed "(\d+)"\. Run it again with forEachSeed\(\["\1"\], …\)\.\nthree/.exec(
      failure.message,
    )?.[1]
    expect(failure.cause).toMatchObject({ message: 'three and no more' })
    await expect(forEachSeed([seed ?? ''], unlucky)).rejects.toThrow('three and no more')
    await forEachSeed(Number(seed) - 1, unlucky)
  })

  it('refuses to run under none', async () => {
    await expect(forEachSeed(0, () => undefined)).rejects.toThrow('given no seeds')
  })
})
