import { clearInterval, setInterval } from 'node:timers'

/** The longest that a timer takes, in milliseconds. */
const longest = 2_147_483_647

type Methods<Names extends string> = { readonly [Name in Names]: (...given: never[]) => Promise<unknown> }

/**
 * The same object, where these methods keep the process alive until they have ended: pauses by themselves do not, for those of the work in
 * the background must not.
 */
export function holdingProcess<const Names extends string, Whole extends Methods<Names>>(
  whole: Whole,
  names: readonly Names[],
): Whole {
  const held = names.map(name => [name, holding(whole[name] as unknown as Method)])
  return { ...whole, ...Object.fromEntries(held) }
}

type Method = (...given: unknown[]) => Promise<unknown>

const holding =
  (method: Method): Method =>
  async (...given) => {
    const hold = setInterval(() => undefined, longest)
    try {
      return await method(...given)
    } finally {
      clearInterval(hold)
    }
  }
