export interface GatewayRequest {
  readonly method: string
  /** The address as the sender saw it: it is what OAuth signatures cover. */
  readonly url: URL
  /** Names in lower case. A header that came more than once is joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** At most one byte more than the limit: enough to see that it is too large. */
  readonly body: Uint8Array
  /** Whether it came to the port of the control, which is nobody else's way to the gateway. */
  readonly viaControl?: true
}

export interface WrittenAnswer {
  readonly hangUp?: false
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Breaks the connection after half of the body. */
  readonly cut?: boolean
  /** Waited for between the two halves of the body. */
  readonly wait?: () => Promise<void>
}

/** Either an answer, or the connection breaks without one, once `wait` is over. */
export type GatewayAnswer = WrittenAnswer | { readonly hangUp: true; readonly wait?: () => Promise<void> }

/** The one function that both adapters carry requests to. It never rejects. */
export type Answer = (request: GatewayRequest) => Promise<GatewayAnswer>

/** Media type of every answer of the interface. @see Interface specification, section 4 */
export const gatewayMediaType = 'application/vnd.pay+json'

/** A header that came twice is joined: the checks decide which one counts. */
export function joinHeaders(headers: Iterable<readonly [name: string, value: unknown]>): GatewayRequest['headers'] {
  const joined: Record<string, string> = {}
  for (const [name, value] of headers) {
    if (value === undefined || value === null) continue
    const key = name.toLowerCase()
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    joined[key] = Object.hasOwn(joined, key) ? `${joined[key]}, ${text}` : text
  }
  return joined
}

/** @returns At most one byte more than `limit`. */
export async function readBody(body: AsyncIterable<Uint8Array | string>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk
    chunks.push(bytes)
    size += bytes.byteLength
    if (size > limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit + 1)
}
