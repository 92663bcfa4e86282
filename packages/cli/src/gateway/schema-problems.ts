/**
 * Checks a value against a JSON Schema, as far as the schema of the config file goes.
 *
 * A library would be the largest dependency of this package, and would not say what a person needs: where it is wrong,
 * what is there, and what the schema says about the place.
 *
 * @module
 */

/** The part of JSON Schema 2020-12 that is understood here. A test holds the config's schema to it. */
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

/** @returns What is wrong with a value, one sentence each, its place first; empty when nothing is. */
export function schemaProblems(value: unknown, root: Schema): readonly string[] {
  return check(value, root, { root, place: '' })
}

interface Place {
  readonly root: Schema
  /** Such as `merchants[0].login`; empty for the whole. */
  readonly place: string
}

function check(value: unknown, schema: Schema, at: Place): readonly string[] {
  if (schema.$ref !== undefined) {
    const found = at.root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}
    return check(value, { ...found, description: schema.description ?? found.description ?? '' }, at)
  }
  if (schema.anyOf !== undefined) {
    const fits = schema.anyOf.some(each => check(value, each, at).length === 0)
    return fits ? [] : [`${where(at)} is ${shown(value)}; it must be ${schema.description}.`]
  }
  const { type } = schema
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return [`${where(at)} is ${shown(value)}; it must be one of ${schema.enum.map(each => `"${each}"`).join(', ')}.`]
  }
  if (type !== undefined && !isOfType(value, type)) {
    return [
      `${where(at)} is ${schema.writeOnly === true ? 'something else' : shown(value)}; it must be ${article[type]}. ${schema.description ?? ''}`.trimEnd(),
    ]
  }
  if (typeof value === 'number') return checkNumber(value, schema, at)
  if (typeof value === 'string') return checkText(value, schema, at)
  if (Array.isArray(value)) return checkList(value, schema, at)
  return typeof value === 'object' && value !== null ? checkMembers(value, schema, at) : []
}

function checkNumber(value: number, { minimum, maximum, description = '' }: Schema, at: Place): readonly string[] {
  if (minimum !== undefined && value < minimum) {
    return [`${where(at)} is ${value}; it must be ${minimum} or more. ${description}`]
  }
  if (maximum !== undefined && value > maximum) {
    return [`${where(at)} is ${value}; it must be ${maximum} or less. ${description}`]
  }
  return []
}

function checkText(value: string, { minLength = 0, pattern, description = '' }: Schema, at: Place): readonly string[] {
  if (value.length < minLength) return [`${where(at)} is empty. ${description}`]
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return []
  return [`${where(at)} is ${shown(value)}; it must match ${pattern}. ${description}`]
}

function checkList(value: readonly unknown[], { minItems = 0, items, ...rest }: Schema, at: Place): readonly string[] {
  if (value.length < minItems) return [`${where(at)} is empty. ${rest.description ?? ''}`]
  if (items === undefined) return []
  return value.flatMap((each, index) => check(each, items, { ...at, place: `${at.place}[${index}]` }))
}

function checkMembers(value: object, { properties = {}, required = [], ...rest }: Schema, at: Place) {
  const below = (name: string): Place => ({ ...at, place: at.place === '' ? name : `${at.place}.${name}` })
  const missing = required.filter(name => !Object.hasOwn(value, name))
  const unknown = Object.keys(value).filter(name => !Object.hasOwn(properties, name))
  const names = Object.keys(properties).join(', ')
  return [
    ...missing.map(name => `"${below(name).place}" is missing. ${properties[name]?.description ?? ''}`),
    ...(rest.additionalProperties === false
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
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

const article: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'a text in quotes',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
}

const where = ({ place }: Place): string => (place === '' ? 'The config' : `"${place}"`)

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 40) : value)
}
