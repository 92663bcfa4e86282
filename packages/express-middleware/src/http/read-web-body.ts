/**
 * The body of a Web request as bytes, bounded.
 *
 * @module
 */
import type { BodyBytes } from './read-body.js'

/**
 * Reads a body that nobody has touched yet.
 *
 * @param maxBytes Most bytes that are kept. What comes after is refused to the server, which ends it as it sees fit.
 */
export async function readWebBody({ headers, body }: Request, maxBytes: number): Promise<BodyBytes> {
  if (body === null) return Buffer.alloc(0)
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = Number(headers.get('content-length') ?? 0) > maxBytes ? Number.POSITIVE_INFINITY : 0
  try {
    while (length <= maxBytes) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(chunks)
      length += value.byteLength
      chunks.push(value)
    }
  } catch {
    return 'cut-off'
  }
  // Whatever a server makes of this, the answer is the same.
  reader.cancel().catch(() => undefined)
  return 'too-large'
}
