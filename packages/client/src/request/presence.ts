import { type AnyOperation, alternativeProblem, alternativesInWords, amountFields } from '@tillkit/protocol'
import type { RequestSubject } from '../errors/invalid-request.js'

/** What is wrong with a request, and at which field. */
export interface FieldProblem {
  readonly field: string
  /** What is wrong and what to do. */
  readonly problem: string
}

type Subject = Pick<RequestSubject, 'name' | 'row'>

/**
 * What is missing from a request of these fields, or has no place in it.
 *
 * @see Interface specification, section 3 (rule 4) and section 4
 */
export function presenceProblem(subject: Subject, fields: readonly string[]): FieldProblem | undefined {
  const has = (field: string) => fields.includes(field)
  return missing(subject.row, has) ?? outOfPlace(subject, has) ?? noAlternative(subject.row, has) ?? unpaired(has)
}

type Has = (field: string) => boolean

function missing(row: AnyOperation, has: Has): FieldProblem | undefined {
  const field = row.required.find(each => !has(each))
  return field === undefined ? undefined : { field, problem: requiredProblem(field, 'missing', row) }
}

/** What to say of a required field without a value, or of one that an alternative needs. */
export const requiredProblem = (field: string, found: 'missing' | 'empty', row: AnyOperation): string =>
  row.required.includes(field)
    ? `"${field}" is ${found}. Set it: the operation needs ${row.required.join(', ')}.`
    : `"${field}" is ${found}. The operation needs ${alternativesInWords(row)}.`

/** A card or a reference to one, not both and not neither: the gateway would choose, or charge what was not meant. */
function noAlternative(row: AnyOperation, has: Has): FieldProblem | undefined {
  const found = alternativeProblem(row, has)
  if (found === undefined) return undefined
  const { field, beside } = found
  if (beside === undefined) return { field, problem: requiredProblem(field, 'missing', row) }
  return {
    field,
    problem: `"${field}" came together with "${beside}". The operation needs ${alternativesInWords(row)}, never two of them.`,
  }
}

/** A caller who gives an amount to a void believes that it is a partial one, and there is none. */
function outOfPlace({ name, row }: Subject, has: Has): FieldProblem | undefined {
  if (row.takes?.amount !== false) return undefined
  const field = ['amount', 'currency'].find(has)
  if (field === undefined) return undefined
  return { field, problem: `"${field}" has no place in it: the ${name} operation takes no amount. Leave it out.` }
}

/**
 * What is wrong where a field is there and `undefined`, and leaving it out means the whole amount: what was a part and got
 * lost on its way must not become everything.
 */
export function undefinedProblem({ name, row }: Subject, field: string): FieldProblem | undefined {
  if (field !== 'amount' && field !== 'currency') return undefined
  if (row.effect !== 'changes' || row.required.includes('amount') || row.takes?.amount === false) return undefined
  return {
    field,
    problem:
      `"${field}" is there and undefined, and without an amount the ${name} operation is over the whole one. ` +
      'Give "amount" and "currency", or leave both keys out where the whole amount is meant.',
  }
}

/** Amount and currency come together. */
function unpaired(has: Has): FieldProblem | undefined {
  if (has('amount') && !has('currency')) {
    return {
      field: 'currency',
      problem: '"amount" came without "currency". Give both, or neither where the whole amount is meant.',
    }
  }
  if (!has('currency') || amountFields.some(has)) return undefined
  return {
    field: 'amount',
    problem: '"currency" came without "amount". Give both, or neither where the whole amount is meant.',
  }
}
