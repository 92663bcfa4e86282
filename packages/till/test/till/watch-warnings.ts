import { onTestFinished, vi } from 'vitest'

/**
 * Watches what the process is warned of until the test has finished.
 *
 * @returns The texts of the warnings with a code, and `about` something. Not of all: a till whose process died in an earlier test, of
 * whichever file, may still say that its work is postponed, or that its store failed.
 */
export function watchWarnings(): (code: string, about?: RegExp) => readonly string[] {
  const emitted = vi.spyOn(process, 'emitWarning').mockReturnValue().mockClear()
  onTestFinished(() => emitted.mockRestore())
  return (code, about = /^/) =>
    emitted.mock.calls
      .filter(([, options]) => Reflect.get(Object(options), 'code') === code)
      .map(([message]) => String(message))
      .filter(text => about.test(text))
}
