/**
 * Runs `run` for each seed, one after the other, until one fails.
 *
 * Chance in a fake gateway comes from its seed alone, so a seed that failed fails again.
 *
 * @param seeds How many, counted from 1, or which ones.
 * @throws An error that names the seed that failed, with the failure as its cause.
 * @example
 * ```ts
 * await forEachSeed(100, async seed => {
 *   const gateway = createFakeGateway({ seed })
 *   gateway.faults.arm({ fault: 'drop', probability: 0.2 })
 *   // …
 * })
 * ```
 */
export async function forEachSeed(
  seeds: number | readonly string[],
  run: (seed: string) => void | Promise<void>,
): Promise<void> {
  const list = typeof seeds === 'number' ? Array.from({ length: seeds }, (_, index) => String(index + 1)) : seeds
  if (list.length === 0) throw new TypeError('forEachSeed was given no seeds: it would prove nothing.')
  for (const seed of list) {
    try {
      await run(seed)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      const again = `forEachSeed([${JSON.stringify(seed)}], …)`
      throw new Error(`Failed with the seed ${JSON.stringify(seed)}. Run it again with ${again}.\n${why}`, { cause })
    }
  }
}
