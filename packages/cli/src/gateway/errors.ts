/** A wrong argument or config file. The command prints the message, which says what to do, and ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
