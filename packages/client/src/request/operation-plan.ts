/**
 * What is the same for every request of an operation, worked out once: its name, its scheme, and what is known of its
 * fields.
 *
 * @module
 */
import {
  type AnyOperation,
  cardFieldOf,
  carriesLogin,
  fieldKind,
  maxLength,
  operations,
  type ResolvedSigning,
  resolveSigning,
  type WireProfile,
  wireName,
} from '@tillkit/protocol'
import { formBodyField } from '@tillkit/signing'
import type { FormField } from './form.js'
import { type RequestShape, requestShapes } from './request-shape.js'

/** What is known of a field of an operation. */
export interface FieldPlan extends FormField {
  readonly field: string
  readonly shownAs: string
  /** Whether it is an id: printable text, that logs and status replies repeat. */
  readonly isId: boolean
  /** Whether it is an amount, or several. */
  readonly isAmount: boolean
  /** Whether it is an address that the gateway calls or sends the customer to. */
  readonly isAddress: boolean
  /** Whether the operation needs it, or an alternative of the operation. */
  readonly isNeeded: boolean
  /** Most characters it may have; undefined where no limit is known. */
  readonly maxLength: number | undefined
}

/** What is known of an operation under a profile. */
export interface OperationPlan {
  /** Name in this library of an operation of the table, the row's own name otherwise. */
  readonly name: string
  readonly signing: ResolvedSigning
  /** What the control value is sent as. */
  readonly controlField: FormField
  /** Whether the body also carries the merchant login. */
  readonly carriesLogin: boolean
  /** What is known of a field; `undefined` for one that the operation cannot have. */
  field(name: string): FieldPlan | undefined
  /** What is known of a request with these fields; `undefined` where the operation cannot have one of them. */
  shape(names: readonly string[]): RequestShape | undefined
}

/** By profile and row, for as long as both are in use. */
const plans = new WeakMap<WireProfile, WeakMap<AnyOperation, OperationPlan>>()

/** What is known of an operation under a profile. */
export function operationPlan(row: AnyOperation, profile: WireProfile): OperationPlan {
  const known = plans.get(profile)?.get(row)
  if (known !== undefined) return known
  const plan = makePlan(row, profile)
  // What is not frozen may say something else next time.
  if (!Object.isFrozen(row) || !Object.isFrozen(profile)) return plan
  const ofProfile = plans.get(profile) ?? new WeakMap<AnyOperation, OperationPlan>()
  plans.set(profile, ofProfile.set(row, plan))
  return plan
}

function makePlan(row: AnyOperation, profile: WireProfile): OperationPlan {
  const source = { operation: row, profile }
  const fields = new Map<string, FieldPlan>()
  const name = Object.entries(operations).find(([, each]) => (each as AnyOperation) === row)?.[0] ?? row.name
  const controlField = { ...formBodyField(profile.controlField.value), field: undefined, shownAs: undefined }
  const isOfAlternative = (asked: string) => row.oneOf?.some(({ needs }) => needs.includes(asked)) === true
  const field = (asked: string): FieldPlan | undefined => {
    const known = fields.get(asked)
    if (known !== undefined) return known
    const ofName = wireName(asked, source)
    if (ofName === undefined) return undefined
    const kind = fieldKind(asked)
    const plan = {
      ...formBodyField(ofName),
      field: asked,
      shownAs: cardFieldOf(ofName) ?? asked,
      isId: kind === 'id',
      isAmount: kind === 'amount',
      isAddress: kind === 'address',
      isNeeded: row.required.includes(asked) || isOfAlternative(asked),
      maxLength: maxLength(asked, source),
    }
    fields.set(asked, plan)
    return plan
  }
  // The login is an option of the client, and `extra` is no field, whatever wire name an operation of the user's own gives it.
  const ofRequest = (asked: string) => (asked === 'login' || asked === 'extra' ? undefined : field(asked))
  return {
    name,
    signing: resolveSigning(row, profile),
    carriesLogin: carriesLogin(source),
    controlField,
    field,
    shape: requestShapes({ name, row, controlField, field: ofRequest }),
  }
}
