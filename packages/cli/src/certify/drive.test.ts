import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createCaseClock, createDriver } from './drive.js'

const minute = 60_000

it('steps over what a merchant waits for after a while, and over nothing that the gateway does', async () => {
  const clock = createCaseClock(() => Date.UTC(2026, 0, 5, 9, 30))
  const gateway = createFakeGateway({ clock })
  const driver = createDriver(gateway, { quiet: 1, patience: 100, nextTaskAt: clock.nextTaskAt })
  const begun: number[] = []
  let waited = 0
  const waitOn = async (): Promise<void> => {
    waited += 1
    await clock.wait(1_000)
    return waitOn()
  }
  void waitOn()
  const tasks = 100
  for (let count = 1; count <= tasks; count += 1) {
    clock.schedule(clock.now() + count * minute, () => {
      begun.push(count)
    })
  }
  let [steps, most] = [0, 0]
  for (let before = 0; begun.length < tasks; before = begun.length) {
    await driver.step()
    steps += 1
    most = Math.max(most, begun.length - before)
  }
  expect(most).toBe(1)
  expect(waited).toBe(1 + (tasks * minute) / 1_000)
  expect(steps).toBeLessThan(2 * tasks)
  clock.clear()
  await gateway.close()
})
