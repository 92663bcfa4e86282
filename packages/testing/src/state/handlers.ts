import type { Operations, ReplyField, RequestOf, ResponseOf } from '@tillkit/protocol'

/** Breaks the connection without an answer; returned by a handler. */
export interface HangUp {
  readonly hangUp: true
}

/** Breaks the connection without an answer. */
export const hangUp = (): HangUp => ({ hangUp: true })

type FieldsOf<RequestRecord> = RequestRecord extends unknown
  ? { readonly [Field in Exclude<keyof RequestRecord, 'extra'> & string]?: string }
  : never

type ReplyOf<Response> = { readonly [Field in Exclude<keyof Response, 'raw'> & string]?: string }

/** What a handler answers: fields of the reply, `httpStatus` (default 200) and other fields by wire name in `extra`. */
export type HandlerReply<Response> = ReplyOf<Response> & {
  readonly httpStatus?: number
  readonly extra?: Readonly<Record<string, string>>
}

/** Answers one operation. `undefined` leaves the request to the gateway. The request was verified before. */
export type Handler<RequestRecord, Response> = (
  request: FieldsOf<RequestRecord>,
) => HandlerReply<Response> | HangUp | undefined | Promise<HandlerReply<Response> | HangUp | undefined>

/** Handlers by operation. */
export type Handlers = {
  readonly [Name in keyof Operations]?: Handler<RequestOf<Operations[Name]>, ResponseOf<Operations[Name]>>
}

/** What a handler of an operation of your own answers: fields of any reply. */
export type OwnHandler = (
  fields: Readonly<Record<string, string | undefined>>,
) => OwnHandlerReply | HangUp | undefined | Promise<OwnHandlerReply | HangUp | undefined>

/** Fields of any reply, `httpStatus` (default 200) and other fields by wire name in `extra`. */
export type OwnHandlerReply = { readonly [Field in ReplyField]?: string } & {
  readonly httpStatus?: number
  readonly extra?: Readonly<Record<string, string>>
}

export type AnyHandler = (fields: Readonly<Record<string, string | undefined>>) => unknown

export type HandlerTable = ReturnType<typeof createHandlerTable>

export function createHandlerTable() {
  const table = new Map<string, AnyHandler>()
  const used = new Set<string>()
  return {
    set(handlers: Readonly<Record<string, unknown>>, operations: readonly string[]): void {
      for (const [operation, handler] of Object.entries(handlers)) {
        if (!operations.includes(operation)) {
          throw new TypeError(`There is no operation "${operation}" to handle. There are: ${operations.join(', ')}.`)
        }
        if (typeof handler !== 'function') throw new TypeError(`The handler of "${operation}" is not a function.`)
        table.set(operation, handler as AnyHandler)
        used.delete(operation)
      }
    },
    /** Notes that the handler was asked for. */
    use(operation: string): AnyHandler | undefined {
      used.add(operation)
      return table.get(operation)
    },
    unused: () => [...table.keys()].filter(operation => !used.has(operation)),
    clear(): void {
      table.clear()
      used.clear()
    },
  }
}
