/**
 * Checks of orders that were stored and come back, for users without types and for what a store returns.
 *
 * @module
 */
import { noIdAmong, notText, withoutNulls } from '../reply/absent.js'
import type { Order, Stage } from './types.js'

/**
 * Reads an order that was kept. A field that is null is absent: what is not known must not count as something.
 *
 * @param field Name of what holds it, for the message.
 * @returns The very order where nothing in it is null.
 * @throws {TypeError} when it is not an order, or one of its stages or ids is not one.
 */
export function readOrder(field: string, order: Order): Order {
  if (typeof order !== 'object' || order === null) {
    throw new TypeError(`"${field}" is not an order. Pass an order as it was returned.`)
  }
  const stages = readStages(`${field}.stages`, order.stages)
  const read = withoutNulls(order)
  const wrong = noIdAmong(read, ['clientOrderId', 'orderId'])
  if (wrong !== undefined) throw new TypeError(`"${field}.${wrong.field}" is ${wrong.found}.`)
  return stages === read.stages ? read : { ...read, stages }
}

/**
 * Reads stages that were kept, see {@link readOrder}.
 *
 * @returns The very list where nothing in it is null.
 * @throws {TypeError} when they are not a list of stages as an order has them.
 */
export function readStages(field: string, stages: unknown): readonly Stage[] {
  if (!Array.isArray(stages)) throw new TypeError(`"${field}" is not a list. Pass an order as it was returned.`)
  const list: readonly unknown[] = stages
  const read = list.map((each, at) => readStage(`${field}[${at}]`, each))
  return read.every((each, at) => each === list[at]) ? (list as readonly Stage[]) : read
}

/** Fields of a stage that are text where they are known. */
const texts = [
  'word',
  'serialNumber',
  'outcome',
  'amount',
  'currency',
  'errorCode',
  'errorMessage',
] satisfies (keyof Stage)[]

function readStage(field: string, value: unknown): Stage {
  const stage = typeof value === 'object' && value !== null ? withoutNulls(value) : undefined
  if (stage === undefined || !isStage(stage)) {
    throw new TypeError(`"${field}" is not a stage. Pass an order as it was returned.`)
  }
  const wrong = notText(stage, texts)
  if (wrong === undefined) return stage
  throw new TypeError(
    `"${field}.${wrong.field}" is ${wrong.found}. Keep it as the text that it was: a number loses digits.`,
  )
}

function isStage(value: { readonly [Field in keyof Stage]?: unknown }): value is Stage {
  const { stage, status, askedAt, corrections } = value
  return (
    typeof stage === 'string' && typeof status === 'string' && Number.isFinite(askedAt) && Array.isArray(corrections)
  )
}
