/**
 * Requests of the control API that cannot be carried out.
 *
 * @module
 */

/** Says what is wrong. Thrown inside the fake and turned into an answer. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** HTTP status of the answer. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
