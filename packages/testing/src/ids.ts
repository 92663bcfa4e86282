/**
 * Identifiers the gateway gives out, the same for the same seed.
 *
 * @module
 */
import { createHash } from 'node:crypto'

/** Gives out identifiers. Every call gives a new one. */
export interface Ids {
  /** Above 2^53 and odd, so that whoever reads it as a JavaScript number gets another one. */
  orderId(): string
  /** Shaped like a UUID. */
  serialNumber(): string
  cardRefId(): string
  recurringPaymentId(): string
  /** Of a hosted page, 32 hexadecimal characters. */
  token(): string
  /** Of the 3DS server, shaped like a UUID. */
  serverTransId(): string
  /** Six digits. */
  approvalCode(): string
  /** Retrieval reference number, twelve digits. */
  rrn(): string
}

/** First order id: 2^53 + 1, the smallest whole number that a double cannot hold. */
const firstOrderId = 2n ** 53n + 1n

/** Makes identifiers from a seed. */
export function createIds(seed: string): Ids {
  const offset = BigInt(`0x${digest(`${seed}:offset`).slice(0, 6)}`) * 2n
  let count = 0n
  const next = (kind: string): string => {
    count += 1n
    return digest(`${seed}:${kind}:${count}`)
  }
  const digits = (kind: string, length: number): string =>
    (BigInt(`0x${next(kind).slice(0, 24)}`) % 10n ** BigInt(length)).toString().padStart(length, '0')
  const sequence = (first: bigint, step: bigint) => {
    let id = first - step
    return () => {
      id += step
      return id.toString()
    }
  }
  return {
    orderId: sequence(firstOrderId + offset, 2n),
    serialNumber: () => uuidShaped(next('serial')),
    cardRefId: sequence(710_001n, 1n),
    recurringPaymentId: sequence(350_001n, 1n),
    token: () => next('token').slice(0, 32),
    serverTransId: () => uuidShaped(next('3ds')),
    approvalCode: () => digits('approval', 6),
    rrn: () => digits('rrn', 12),
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const uuidShaped = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
