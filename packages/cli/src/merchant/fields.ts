import {
  type AnyOperation,
  alternativeProblem,
  alternativesInWords,
  cardFieldOf,
  describeValue,
  isLoopbackHost,
  nearName,
  type OperationName,
  operations,
  wireNames,
} from '@tillkit/protocol'
import { UsageError } from '../gateway/errors.js'

/** Finds an operation. @throws {@link UsageError} that names near ones. */
export function operationNamed(name: string | undefined): { readonly name: OperationName; readonly row: AnyOperation } {
  const names = Object.keys(operations) as OperationName[]
  if (name === undefined) throw new UsageError(`Which operation? There are: ${names.join(', ')}.`)
  const found = names.find(each => each === name)
  if (found !== undefined) return { name: found, row: operations[found] }
  const near = nearName(name, names) ?? names.find(each => operations[each].path.endsWith(`/${name}`))
  const alike = near === undefined ? names.filter(each => contains(each, name)) : [near]
  const hint = alike.length === 0 ? `There are: ${names.join(', ')}.` : `Did you mean ${alike.join(', ')}?`
  throw new UsageError(`There is no operation ${describeValue(name)}. ${hint}`)
}

const contains = (name: string, part: string): boolean =>
  part.length > 2 && name.toLowerCase().includes(part.replace(/[-_]/g, '').toLowerCase())

/** A request as it was written down: each field by its name in the table, or on the wire. */
interface GivenFields {
  /** From arguments, which others on this machine may read. */
  readonly fromArguments: readonly (readonly [string, string])[]
  readonly fromFile: readonly (readonly [string, unknown])[]
}

/**
 * Puts a request together.
 *
 * @param baseUrl Where it goes: card data from arguments is for a gateway on this machine only.
 * @throws {@link UsageError} that lists every field that is missing.
 */
export function requestOf(
  { name, row }: { readonly name: string; readonly row: AnyOperation },
  { fromArguments, fromFile }: GivenFields,
  baseUrl: string,
): Readonly<Record<string, unknown>> {
  const isTest = isLoopbackHost(new URL(baseUrl).hostname)
  const open = fromArguments.find(([field]) => cardFieldOf(field.replace(/^extra\./, '')) !== undefined)
  if (open !== undefined && !isTest) {
    throw new UsageError(
      `--field ${open[0]} holds card data, ` +
        'and arguments stay in the history of the shell and in the list of processes. ' +
        'Put it into a file of JSON and name that with --fields-file, ' +
        'or hand it over on the standard input with --fields-file -.',
    )
  }
  const request: Record<string, unknown> = {}
  const extra: Record<string, unknown> = {}
  for (const [given, value] of [...fromFile, ...fromArguments]) {
    if (given.startsWith('extra.')) extra[given.slice('extra.'.length)] = value
    else request[fieldOf(given, row)] = value
  }
  checkPresence({ name, row }, request)
  return Object.keys(extra).length === 0 ? request : { ...request, extra }
}

/** Our name of a field that was given by its wire name; any other name as it is. */
function fieldOf(given: string, { wireNames: own = {} }: AnyOperation): string {
  if (Object.hasOwn(wireNames, given)) return given
  const named = [...Object.entries(own), ...Object.entries<string>(wireNames)]
  return named.find(([, wire]) => wire === given)?.[0] ?? given
}

/** All that is missing at once; what else is wrong the client says. */
export function checkPresence(
  { name, row }: { readonly name: string; readonly row: AnyOperation },
  request: object,
): void {
  const has = (field: string): boolean => Object.hasOwn(request, field)
  const missing = row.required.filter(field => !has(field))
  const isEmpty = Object.keys(request).length === 0
  if (missing.length === 0 && !isEmpty) return
  const one = alternativeProblem(row, has) === undefined ? '' : `\n  and ${alternativesInWords(row)}`
  const needs = isEmpty ? 'It has no fields. It needs' : 'It needs besides'
  throw new UsageError(
    `${name} was not sent. ${needs}:\n${missing.map(field => `  ${field}`).join('\n')}${one}\n` +
      'Give each as --field name=value, or all of them in a file of JSON with --fields-file.',
  )
}

/** Reads a file of fields. @throws {@link UsageError} that does not quote it. */
export function readFields(text: string, named: string): GivenFields['fromFile'] {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    // Messages of newer Node.js quote the file.
    throw new UsageError(`${named} is not JSON. It must be an object of fields, such as { "amount": "10.00" }.`)
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new UsageError(`${named} must hold one object of fields, such as { "amount": "10.00" }.`)
  }
  return Object.entries(read)
}
