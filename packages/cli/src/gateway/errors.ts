/** Says what cannot work and what to do. Thrown inside the command and turned into a message and the exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
