/** Whether `shown` is masked, that is, has asterisks in place of something. */
export const isMasked = (shown: string): boolean => shown.includes('*')

/** Whether `shown`, whose runs of asterisks stand for any text, can be what `value` looks like when it is masked. */
export function couldBe(shown: string, value: string): boolean {
  if (!isMasked(shown)) return shown === value
  const pattern = shown
    .split(/\*+/)
    .map(piece => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${pattern}$`, 's').test(value)
}
