/** Large scenes are held to bounds: a field that is added to what a run has heard changes their exact numbers, and a walk takes long. */
import { expect } from 'vitest'
import type { Explored } from './explorer.js'

/** Expects that every world was walked through, that none breaks a rule, and that the scene has not shrunk. @param worlds How many there were once. */
export function expectWhole({ found, worlds: now }: Explored, worlds: number): void {
  expect(found).toBeUndefined()
  expect(now).toBeGreaterThanOrEqual(worlds / 2)
}
