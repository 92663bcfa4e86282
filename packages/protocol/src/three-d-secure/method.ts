/**
 * The 3DS 2 method step: what its hidden frame posts, and the ten-second rule.
 *
 * @module
 */
/** How long the 3DS method may take, in milliseconds. @see Interface specification, section 8 */
export const methodTimeLimit = 10_000

/** What is known of a method step. Times are in milliseconds since the epoch. */
export interface MethodStep {
  /** Whether the gateway gave a method address. */
  readonly methodUrlGiven: boolean
  /** When the hidden frame was shown to the customer. */
  readonly startedAt: number
  /** When its notification arrived, if it did. */
  readonly notifiedAt?: number
  readonly now: number
}

/**
 * The completion indicator to upload: `U` when no method address was given, `Y` when the notification came within ten
 * seconds, `N` once it did not.
 *
 * @returns undefined while there is still time: wait.
 * @see Interface specification, sections 2 (`threeDSCompInd`) and 8
 */
export function threeDSCompInd({
  methodUrlGiven,
  startedAt,
  notifiedAt,
  now,
}: MethodStep): 'Y' | 'N' | 'U' | undefined {
  if (!methodUrlGiven) return 'U'
  if (notifiedAt !== undefined && notifiedAt - startedAt < methodTimeLimit) return 'Y'
  return now - startedAt >= methodTimeLimit || notifiedAt !== undefined ? 'N' : undefined
}

/** What a method frame posts. */
export interface MethodData {
  readonly threeDSServerTransId: string
  /** Address of yours that the issuer's server posts to when the method is done. */
  readonly notificationUrl: string
}

/**
 * The value of the form field `threeDSMethodData` that the hidden frame posts to `methodUrl`: JSON in Base64url without
 * padding.
 *
 * @see EMV 3-D Secure protocol specification, 3DS method data. The interface specification does not show it.
 */
export function threeDSMethodData({ threeDSServerTransId, notificationUrl }: MethodData): string {
  const data = { threeDSServerTransID: threeDSServerTransId, threeDSMethodNotificationURL: notificationUrl }
  return Buffer.from(JSON.stringify(data)).toString('base64url')
}
