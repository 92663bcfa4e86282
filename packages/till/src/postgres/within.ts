import { NoAnswer } from './errors.js'

/**
 * Waits for an answer, but not for ever: a server behind a dead line says nothing.
 *
 * @param milliseconds From 1 to 2147483647.
 * @param late Called with a value that comes after the deadline, to put it away.
 */
export function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  late: (value: Value) => void = () => {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(
        new NoAnswer(
          `There was no answer within ${milliseconds} ms: the server, or a standby that it waits for, may be away.`,
        ),
      )
    }, milliseconds)
    promise.then(
      value => {
        clearTimeout(timer)
        if (isLate) late(value)
        else resolve(value)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
