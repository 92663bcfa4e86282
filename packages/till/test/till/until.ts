import { setTimeout } from 'node:timers/promises'

/** Waits until something is so. A test whose condition never comes ends by its own time limit. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(1)
}
