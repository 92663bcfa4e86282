/**
 * A request's body as bytes, bounded, and never waited for once somebody else has read it.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http'

/** The bytes, or why there are none. */
export type BodyBytes = Buffer | 'too-large' | 'cut-off'

/**
 * Reads a body that nobody has touched yet.
 *
 * @param maxBytes Most bytes that are kept. What comes after is not read; the server discards it with the connection.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<BodyBytes> {
  const announced = request.headers['content-length']
  if (announced !== undefined && BigInt(announced) > BigInt(maxBytes)) return Promise.resolve('too-large')
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = (result: BodyBytes) => {
      request.off('data', onData).off('end', onEnd).off('error', onCutOff).off('close', onCutOff)
      resolve(result)
    }
    // Text where a middleware has called `setEncoding`.
    const onData = (data: Buffer | string) => {
      const chunk = typeof data === 'string' ? Buffer.from(data, request.readableEncoding ?? 'utf8') : data
      length += chunk.length
      if (length > maxBytes) {
        request.pause()
        finish('too-large')
      } else {
        chunks.push(chunk)
      }
    }
    const onEnd = () => finish(Buffer.concat(chunks))
    const onCutOff = () => finish('cut-off')
    request.on('data', onData).on('end', onEnd).on('error', onCutOff).on('close', onCutOff)
  })
}
