/**
 * Tells an observer, such as a log or a report. What it throws, or rejects with later, is dropped: it must not change what it is
 * told about.
 */
export function notify(tell: () => unknown): void {
  try {
    const later = tell()
    if (later !== undefined) Promise.resolve(later).catch(() => {})
  } catch {
    // Dropped, as documented.
  }
}
