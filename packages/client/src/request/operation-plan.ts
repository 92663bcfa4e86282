import {
  type AnyOperation,
  cardFieldOf,
  carriesLogin,
  describeValue,
  fieldKind,
  maxLength,
  operations,
  resolveSigning,
  type WireProfile,
  wireName,
} from '@tillkit/protocol'
import { oncePer } from '../config/lazy.js'
import { InvalidRequestError } from '../errors/errors.js'
import type { FieldPlan, OperationPlan } from './types.js'

/**
 * What is known of an operation under a profile. Worked out once for a row that is frozen, as those of the table and of
 * `operation()` are: what is not frozen may say something else next time.
 */
export function operationPlan(row: AnyOperation, profile: WireProfile): OperationPlan {
  const isFrozen = Object.isFrozen(row) && Object.isFrozen(profile)
  return isFrozen ? plansOf(profile)(row) : makePlan(row, profile)
}

const plansOf = /* @__PURE__ */ oncePer((profile: WireProfile) =>
  oncePer((row: AnyOperation) => makePlan(row, profile)),
)

function makePlan(row: AnyOperation, profile: WireProfile): OperationPlan {
  const source = { operation: row, profile }
  const fields = new Map<string, FieldPlan>()
  const isOfAlternative = (asked: string) => row.oneOf?.some(({ needs }) => needs.includes(asked)) === true
  return {
    name: Object.entries(operations).find(([, each]) => (each as AnyOperation) === row)?.[0] ?? row.name,
    signing: resolveSigning(row, profile),
    path: pathOf(row),
    carriesLogin: carriesLogin(source),
    field(asked) {
      const known = fields.get(asked)
      if (known !== undefined) return known
      // The login is an option of the client, and `extra` is no field, whatever wire name an operation of the user's own gives it.
      const name = asked === 'login' || asked === 'extra' ? undefined : wireName(asked, source)
      if (name === undefined) return undefined
      const kind = fieldKind(asked)
      const plan = {
        name,
        field: asked,
        shownAs: cardFieldOf(name) ?? asked,
        isId: kind === 'id',
        isAmount: kind === 'amount',
        isAddress: kind === 'address',
        isNeeded: row.required.includes(asked) || isOfAlternative(asked),
        maxLength: maxLength(asked, source),
      }
      fields.set(asked, plan)
      return plan
    },
  }
}

/** A row that was not made with `operation()` may hold characters in its path that are sent encoded. */
function pathOf({ path }: AnyOperation): string {
  const { pathname, search } = new URL(path, 'https://gate.example')
  return `${pathname}${search}`
}

/**
 * Checks what `client.send` is handed as an operation, for users without types.
 *
 * @throws {@link InvalidRequestError} when it is no operation: nothing is known of what it would do.
 */
export function checkedOperation(row: AnyOperation): AnyOperation {
  const { path, signing, effect, required }: { readonly [Part in keyof AnyOperation]?: unknown } = row ?? {}
  const isEffect = effect === 'creates' || effect === 'changes' || effect === 'reads'
  const isOne = typeof path === 'string' && typeof signing === 'object' && isEffect && Array.isArray(required)
  if (isOne) return row
  throw new InvalidRequestError(
    `Nothing was sent: the first argument of client.send is ${describeValue(row)} and no operation. Pass what ` +
      'operation({ … }) returns, or one of "operations", such as operations.sale.',
    { operation: 'send', field: 'operation' },
  )
}
