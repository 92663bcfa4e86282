import { vi } from 'vitest'

/** Runs `work` while timers stand still until it passes time: a deadline comes when a test says so, on any machine. */
export async function withHeldTime<Result>(
  work: (pass: (milliseconds: number) => void) => Promise<Result>,
): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    return await work(milliseconds => void vi.advanceTimersByTime(milliseconds))
  } finally {
    vi.useRealTimers()
  }
}
