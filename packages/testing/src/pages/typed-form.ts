import { decodeForm } from '@tillkit/signing'
import type { GatewayRequest, WrittenAnswer } from '../http/gateway-message.js'
import type { Typed } from './field.js'
import { messagePage } from './page.js'

/**
 * Reads a posted form.
 *
 * @param limit Largest body, in bytes.
 * @returns undefined when the body is larger or cannot be decoded.
 */
export function readTyped({ body }: GatewayRequest, limit: number): Typed | undefined {
  if (body.byteLength > limit) return undefined
  try {
    return Object.fromEntries(decodeForm(Buffer.from(body).toString('utf8')))
  } catch {
    return undefined
  }
}

/** Says to the person in front of the browser why a page cannot do what was asked. */
export const refusedPage = (text: string, status = 400): WrittenAnswer =>
  messagePage({ title: 'Not possible', text, status })
