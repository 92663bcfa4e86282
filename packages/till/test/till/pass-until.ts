import type { FakeGateway } from '@tillkit/testing'

/** Moves the gateway's time until something is over, while no call of a store is under way. */
export async function passUntil<Result>(
  gateway: FakeGateway,
  work: Promise<Result>,
  calls = () => [] as readonly Promise<unknown>[],
): Promise<Result> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  while (!isOver) {
    for (let turn = 0; turn < 20 && !isOver; turn += 1) {
      for (let under = calls(); under.length > 0 && !isOver; under = calls()) {
        await Promise.allSettled(under)
        turn = 0
      }
      await new Promise(resolve => setImmediate(resolve))
    }
    await gateway.clock.advance(50)
  }
  return work
}
