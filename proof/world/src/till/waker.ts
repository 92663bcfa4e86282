/** Wakes the background once something is due: after each write that is as late as the due date says, and never twice. */
export interface Waker {
  /** Looks at a moment, or once something is written that is due before. */
  sleepUntil(moment: number, look: () => void): void
  /** Something was written that is due at a moment. */
  written(due: number | null): void
}

/** @param at Lets something happen at a moment. */
export function createWaker(now: () => number, at: (moment: number, act: () => void) => void): Waker {
  let nth = 0
  let until = Number.POSITIVE_INFINITY
  let look = (): void => {}
  const set = (moment: number): void => {
    nth += 1
    until = moment
    const own = nth
    if (moment === Number.POSITIVE_INFINITY) return
    at(moment, () => {
      if (own === nth) look()
    })
  }
  return {
    sleepUntil(moment, next) {
      look = next
      set(moment)
    },
    written(due) {
      if (due !== null && Math.max(due, now()) < until) set(Math.max(due, now()))
    },
  }
}
