import { clearInterval, setInterval } from 'node:timers'

/** The longest that a timer takes, in milliseconds. */
const longest = 2_147_483_647

type Method = (...given: never[]) => Promise<unknown>

/** Whatever is a method of an object, and not free, gives a promise. */
type Held<Whole, Free> = {
  readonly [Name in Exclude<keyof Whole, Free>]: Whole[Name] extends (...given: never[]) => unknown ? Method : unknown
}

/**
 * The same object, where its methods but the free ones keep the process alive until they have ended: pauses by themselves do not,
 * for those of the work in the background must not.
 */
export function holdingProcess<Whole extends object, const Free extends keyof Whole>(
  whole: Whole & Held<Whole, Free>,
  free: readonly Free[],
): Whole {
  const held = Object.entries(whole).map(([name, value]) => {
    const isHeld = typeof value === 'function' && !free.some(each => each === name)
    return [name, isHeld ? holding(value as Method) : value]
  })
  return Object.fromEntries(held) as Whole
}

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
