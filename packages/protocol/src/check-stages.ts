/**
 * Checks of stages that were kept and are handed over again, for users without types and for what a store gave back.
 *
 * @module
 */
import type { Stage } from './order.js'

/**
 * @param field Name of what holds them, for the message.
 * @throws {TypeError} when they are no list of stages as an order has them.
 */
export function checkStages(field: string, stages: unknown): asserts stages is readonly Stage[] {
  if (!Array.isArray(stages)) throw new TypeError(`"${field}" is no list. Hand over an order as it was returned.`)
  const wrong = stages.findIndex(each => !isStage(each))
  if (wrong === -1) return
  throw new TypeError(`"${field}[${wrong}]" is no stage. Hand over an order as it was returned.`)
}

function isStage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { stage, status, askedAt, corrections }: { readonly [Field in keyof Stage]?: unknown } = value
  return (
    typeof stage === 'string' && typeof status === 'string' && Number.isFinite(askedAt) && Array.isArray(corrections)
  )
}
