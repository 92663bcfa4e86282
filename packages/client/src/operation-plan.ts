/**
 * What is the same for every request of an operation, worked out once: its name, its scheme, and what is known of its
 * fields.
 *
 * @module
 */
import {
  type AnyOperation,
  type CardField,
  cardFieldOf,
  carriesLogin,
  maxLength,
  operations,
  type ResolvedSigning,
  resolveSigning,
  type WireProfile,
  wireName,
} from '@tillkit/protocol'
import { percentEncode } from '@tillkit/signing'

/** What is known of a field of an operation. */
export interface FieldPlan {
  readonly wireName: string
  /** What stands before its value in a body: `&`, the encoded name and `=`. */
  readonly head: string
  /** Most characters it may have; undefined where no limit is known. */
  readonly maxLength: number | undefined
  /** The card data it holds, whatever an operation of the user's own calls it; undefined for every other field. */
  readonly cardField: CardField | undefined
  /** Whether it is an id: printable text, that logs and status replies repeat. */
  readonly isId: boolean
}

const headOf = (name: string): string => `&${percentEncode(name)}=`

/** What is known of an operation under a profile. */
export interface OperationPlan {
  /** Name in this library of an operation of the table, the row's own name otherwise. */
  readonly name: string
  readonly signing: ResolvedSigning
  /** What stands before the control value in a body. */
  readonly controlHead: string
  /** Whether the body also carries the merchant login. */
  readonly carriesLogin: boolean
  /** What is known of a field; `undefined` for one that the operation cannot have. */
  field(name: string): FieldPlan | undefined
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
  return {
    name: Object.entries(operations).find(([, each]) => (each as AnyOperation) === row)?.[0] ?? row.name,
    signing: resolveSigning(row, profile),
    controlHead: headOf(profile.controlField.value),
    carriesLogin: carriesLogin(source),
    field(name) {
      const known = fields.get(name)
      if (known !== undefined) return known
      const ofName = wireName(name, source)
      if (ofName === undefined) return undefined
      const plan = {
        wireName: ofName,
        head: headOf(ofName),
        maxLength: maxLength(name, source),
        cardField: cardFieldOf(ofName),
        isId: /(?:Id|Sn)$/.test(name),
      }
      fields.set(name, plan)
      return plan
    },
  }
}
