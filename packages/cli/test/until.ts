import { setTimeout } from 'node:timers/promises'

/** Waits for what no event tells: asks again and again until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(10)
}
