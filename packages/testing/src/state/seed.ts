import { hash } from 'node:crypto'

/** The small fast counting generator "sfc32", started from a hash of the seed: whole numbers from 0 to 2^32 - 1. */
export function createRandomWords(seed: string): () => number {
  const start = Buffer.from(hash('sha256', seed, 'hex'), 'hex')
  let [a, b, c, counter] = [0, 4, 8, 12].map(offset => start.readInt32BE(offset)) as [number, number, number, number]
  return () => {
    const word = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + word) | 0
    return word >>> 0
  }
}

/** Makes a sequence of numbers from a seed. @returns What gives the next one, from 0 up to but not including 1. */
export function createRandom(seed: string): () => number {
  const words = createRandomWords(seed)
  return () => words() / 2 ** 32
}

/** Gives out identifiers. Every call gives a new one. */
export type Ids = ReturnType<typeof createIds>

/** First large order id: 2^53 + 1, the smallest whole number that a double cannot hold. */
const firstLargeOrderId = 2n ** 53n + 1n

const firstSmallOrderId = 1_000_000

export function createIds(seed: string, { largeOrderIds }: { readonly largeOrderIds: boolean }) {
  let words = createRandomWords(`${seed}:ids`)
  const sixteenBytes = Buffer.alloc(16)
  const hexadecimal = (): string => {
    for (let at = 0; at < 16; at += 4) sixteenBytes.writeUInt32BE(words(), at)
    return sixteenBytes.toString('hex')
  }
  const sixDigits = (): string => String(words() % 1_000_000).padStart(6, '0')
  const begin = () => ({
    orderId: largeOrderIds
      ? sequence(firstLargeOrderId + BigInt(words() >>> 8) * 2n, 2n)
      : sequence(BigInt(firstSmallOrderId + (words() % 8_000_000)), 1n),
    cardRefId: sequence(710_001n, 1n),
    recurringPaymentId: sequence(350_001n, 1n),
  })
  let counted = begin()
  return {
    /** Seven digits, as observed; large ones are above 2^53 and odd, so that reading one as a JavaScript number changes it. */
    orderId: () => counted.orderId(),
    serialNumber: () => uuidShaped(hexadecimal()),
    cardRefId: () => counted.cardRefId(),
    recurringPaymentId: () => counted.recurringPaymentId(),
    /** Of a hosted page. */
    token: hexadecimal,
    /** Of the 3DS server. */
    serverTransId: () => uuidShaped(hexadecimal()),
    approvalCode: sixDigits,
    /** Retrieval reference number. */
    rrn: () => sixDigits() + sixDigits(),
    restart(next: string): void {
      words = createRandomWords(`${next}:ids`)
      counted = begin()
    },
  }
}

function sequence(first: bigint, step: bigint): () => string {
  let id = first - step
  return () => {
    id += step
    return id.toString()
  }
}

const uuidShaped = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
