import { describeValue } from '@tillkit/protocol'

/** The part of JSON Schema 2020-12 that is understood here: that of the config file and of the control API. */
export interface Schema {
  readonly $schema?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly pattern?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly items?: Schema
  /** A secret, which no message may show. */
  readonly writeOnly?: boolean
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

/**
 * Checks a value against a schema. A library would be the largest dependency of this package, and would not say what a
 * person needs: the place, what is there, and what the schema says about it.
 *
 * @param whole What the value is called, such as `The config`.
 * @returns What is wrong with it, one sentence each, its place first; empty when nothing is wrong.
 */
export function schemaProblems(value: unknown, root: Schema, whole: string): readonly string[] {
  return check(value, root, { root, whole, place: '' })
}

interface Place {
  readonly root: Schema
  readonly whole: string
  /** Such as `merchants[0].login`; empty for the whole. */
  readonly place: string
}

function check(value: unknown, schema: Schema, at: Place): readonly string[] {
  const { type, anyOf, $ref, description = '' } = schema
  const wrong = (what: string, is: string = describeValue(value)) => [
    `${where(at)} is ${is}; ${what}. ${description}`.trimEnd(),
  ]
  if ($ref !== undefined) {
    const found = at.root.$defs?.[$ref.replace('#/$defs/', '')] ?? {}
    return check(value, { ...found, description: schema.description ?? found.description ?? '' }, at)
  }
  if (anyOf !== undefined) {
    const fits = anyOf.some(each => check(value, each, at).length === 0)
    return fits ? [] : [`${where(at)} is ${describeValue(value)}; it must be ${description}.`]
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return [
      `${where(at)} is ${describeValue(value)}; it must be one of ${schema.enum.map(each => `"${each}"`).join(', ')}.`,
    ]
  }
  if (type !== undefined && !isOfType(value, type)) {
    return wrong(`it must be ${inWords[type]}`, schema.writeOnly === true ? 'something else' : describeValue(value))
  }
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = schema
    if (value < minimum) return wrong(`it must be ${minimum} or more`)
    return value > maximum ? wrong(`it must be ${maximum} or less`) : []
  }
  if (typeof value === 'string') {
    if (value.length < (schema.minLength ?? 0)) return [`${where(at)} is empty. ${description}`]
    const { pattern } = schema
    return pattern === undefined || new RegExp(pattern, 'u').test(value) ? [] : wrong(`it must match ${pattern}`)
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) return [`${where(at)} is empty. ${description}`]
    const { items = {} } = schema
    return value.flatMap((each, index) => check(each, items, { ...at, place: `${at.place}[${index}]` }))
  }
  return typeof value === 'object' && value !== null ? checkMembers(value, schema, at) : []
}

function checkMembers(value: object, { properties = {}, required = [], additionalProperties }: Schema, at: Place) {
  const below = (name: string): Place => ({ ...at, place: at.place === '' ? name : `${at.place}.${name}` })
  const missing = required.filter(name => !Object.hasOwn(value, name))
  const unknown = Object.keys(value).filter(name => !Object.hasOwn(properties, name))
  const names = Object.keys(properties).join(', ') || 'none'
  return [
    ...missing.map(name => `"${below(name).place}" is missing. ${properties[name]?.description ?? ''}`),
    ...(additionalProperties === false
      ? unknown.map(name => `${where(at)} has no ${JSON.stringify(name.slice(0, 40))}. There is: ${names}.`)
      : []),
    ...Object.entries(value).flatMap(([name, each]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      return schema === undefined ? [] : check(each, schema, below(name))
    }),
  ]
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'number') return Number.isFinite(value)
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type
}

const inWords: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'a text in quotes',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
}

const where = ({ place, whole }: Place): string => (place === '' ? whole : `"${place}"`)
