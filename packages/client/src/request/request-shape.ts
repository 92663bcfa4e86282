/**
 * The shape of a request: what is known of it by the names of its fields alone.
 *
 * A program sends the same few forms again and again, so the last shapes of an operation are remembered: names only, never a
 * value.
 *
 * @module
 */

import type { RequestSubject } from '../errors/invalid-request.js'
import { type Form, type FormField, type FormShape, shapeOf } from './form.js'
import type { FieldPlan } from './operation-plan.js'
import { type FieldProblem, presenceProblem } from './presence.js'

/** A shape whose fields are all of the request record. */
export interface RequestShape extends FormShape {
  readonly fields: readonly FieldPlan[]
  readonly names: readonly string[]
  /** What is missing, or has no place in it. */
  readonly problem: FieldProblem | undefined
  /** Those of its names that are of ids. */
  readonly ids: readonly string[]
  /** Whether it has amounts besides `amount`. */
  readonly hasSeveralAmounts: boolean
  readonly withControl: FormShape
}

/** A form whose fields are all of the request record. */
export interface RequestForm extends Form {
  readonly shape: RequestShape
}

/** The texts of a record by the names of its fields. */
export const recordOf = ({ shape: { names }, texts }: RequestForm): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map((text, at) => [names[at], text]))

/** The operation that shapes are of. */
export interface RequestShapesInput extends Pick<RequestSubject, 'name' | 'row'> {
  /** What the control value is sent as. */
  readonly controlField: FormField
  /** What is known of a field; `undefined` for one that the operation cannot have. */
  field(name: string): FieldPlan | undefined
}

/** How many shapes of an operation are remembered; a new one takes the place of the oldest. */
const shapeLimit = 8

/** Makes a function that finds the shape of a request with these fields; `undefined` where one of them is not known. */
export function requestShapes(operation: RequestShapesInput): (names: readonly string[]) => RequestShape | undefined {
  const shapes: RequestShape[] = []
  let oldest = 0
  return names => {
    for (const shape of shapes) if (isSame(shape.names, names)) return shape
    const fields: readonly (FieldPlan | undefined)[] = names.map(name => operation.field(name))
    if (!areKnown(fields)) return undefined
    const shape = {
      fields,
      names,
      problem: presenceProblem(operation, names),
      ids: fields.filter(({ isId }) => isId).map(({ field }) => field),
      hasSeveralAmounts: names.some(name => severalAmounts.includes(name)),
      withControl: shapeOf([...fields, operation.controlField]),
    }
    shapes[oldest] = shape
    oldest = (oldest + 1) % shapeLimit
    return shape
  }
}

const severalAmounts: readonly string[] = ['amountFrom', 'amountTo', 'enumerateAmounts']

const areKnown = (fields: readonly (FieldPlan | undefined)[]): fields is readonly FieldPlan[] =>
  !fields.includes(undefined)

function isSame(names: readonly string[], others: readonly string[]): boolean {
  if (names.length !== others.length) return false
  for (let at = 0; at < names.length; at += 1) if (names[at] !== others[at]) return false
  return true
}
