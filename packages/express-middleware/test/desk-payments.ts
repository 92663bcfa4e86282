/**
 * In the place of the `payments.ts` of docs/other-frameworks.md: receivers that a test changes at will.
 *
 * @module
 */
import type { CallbackReceiver } from '../src/core.js'

/** What receives callbacks now. */
export const now: { receiver: CallbackReceiver | undefined } = { receiver: undefined }

/** What the shops of the page import. */
export const callbacks: Pick<CallbackReceiver, 'answer'> = {
  answer: (...all) => {
    if (now.receiver === undefined) throw new Error('No receiver was made for this test.')
    return now.receiver.answer(...all)
  },
}
