/**
 * Telling somebody who looks on: a log, an observer, a report.
 *
 * @module
 */

/** Tells them. What they throw, or reject with later, is dropped: it must not change what they are told of. */
export function notify(tell: () => unknown): void {
  try {
    const later = tell()
    if (later !== undefined) Promise.resolve(later).catch(() => {})
  } catch {
    // Dropped, as documented.
  }
}
