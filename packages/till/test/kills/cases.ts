/**
 * The cases: every point, in every operation that passes it.
 *
 * @module
 */
import { type Kind, kinds } from './payments.js'
import { type Blow, type Case, doorPoints, type WirePoint, wirePoints } from './points.js'

const blow = (context: string, point: Blow['point'], nth = 1, more: Partial<Blow> = {}): Blow => ({
  context,
  point,
  nth,
  label: `${more.act === undefined ? '' : `${more.act} at `}${context}/${point}#${nth}`,
  ...more,
})

/** Before and after each. */
const around = (context: string, point: 'store.read' | 'store.write' | 'report', nth = 1): readonly Blow[] => [
  blow(context, `${point}.before`, nth),
  blow(context, `${point}.after`, nth),
]

const request = (context: string, nth = 1, wire: readonly WirePoint[] = wirePoints): readonly Blow[] => [
  blow(context, 'dispatch.before', nth),
  ...wire.map(point => blow(context, point, nth)),
  blow(context, 'answer.after', nth),
]

/** A request that creates: read, reserve, send, note, report. */
const ofCreation = (context: string): readonly Blow[] => [
  ...around(context, 'store.read'),
  ...around(context, 'store.write'),
  ...request(context),
  ...around(context, 'store.write', 2),
  ...around(context, 'report'),
]

/** A change asks status first, which is noted, too. */
const ofChange = (context: string): readonly Blow[] => [
  ...request(context, 1, ['wire.request-lost', 'wire.answer-lost']),
  ...around(context, 'store.read'),
  ...around(context, 'store.write'),
  ...request(context, 2),
  ...around(context, 'store.write', 2),
  ...around(context, 'report'),
]

const ofQuestion = (context: string): readonly Blow[] => [
  ...request(context, 1, ['wire.request-lost', 'wire.answer-lost', 'wire.answer-half']),
  ...around(context, 'store.read'),
  ...around(context, 'store.write'),
  ...around(context, 'report'),
]

/** A process that finds what another one left behind, and is killed as well. */
function ofResolution(
  name: string,
  { kind, first, more, isSlow = false }: { kind: Kind; first: Blow; more: readonly Blow[]; isSlow?: boolean },
) {
  return more.map((second): Case => {
    const label = `${name}: ${second.label}${second.skip === undefined ? '' : `, time ${second.skip + 1}`}`
    return { kind, blows: [first, { ...second, label }], isSlow }
  })
}

const asked = [...around('resolve', 'store.read'), ...request('resolve', 1, ['wire.request-lost', 'wire.answer-lost'])]

const resolutions: readonly Case[] = [
  ...ofResolution('absent', {
    kind: 'sold',
    first: blow('sale', 'wire.request-lost'),
    more: [
      ...asked,
      ...around('resolve', 'store.read', 2),
      // An equal answer after that is not written again.
      ...around('resolve', 'store.write'),
      // Only a person can tell: the quiet period of a till is longer than these lives.
      ...around('decide', 'store.read'),
      ...around('decide', 'store.write'),
      ...around('decide', 'report'),
      // It is sent again then, and that is where it may go wrong once more.
      ...['wire.request-late', 'wire.answer-lost'].map(point => blow('sale', point as WirePoint)),
    ],
  }),
  ...ofResolution('late', {
    kind: 'sold',
    first: blow('sale', 'wire.request-late'),
    more: [blow('resolve', 'dispatch.before'), blow('resolve', 'store.write.after')],
  }),
  ...ofResolution('happened', {
    kind: 'captured',
    first: blow('preauth', 'wire.answer-lost'),
    more: [...asked, ...around('resolve', 'store.write'), ...around('resolve', 'report')],
  }),
  ...ofResolution('changed', {
    kind: 'captured',
    first: blow('capture', 'wire.answer-lost', 2),
    // The process asks status of the preauth first, and so knows the stage of the capture already: one write is left. Later it would count
    // at once, and there would be nothing to resolve.
    isSlow: true,
    more: [...asked, ...around('resolve', 'store.write'), ...around('resolve', 'report')],
  }),
  ...ofResolution('undecided', {
    kind: 'parts',
    first: blow('capture-part', 'dispatch.before', 2, { skip: 2 }),
    more: [
      ...around('decide', 'store.read'),
      ...around('decide', 'store.write'),
      ...around('decide', 'report'),
      blow('capture-part', 'wire.answer-lost', 2),
    ],
  }),
]

/**
 * A process that was stopped for longer than its request may take must not send it any more. One that was stopped while its request was
 * under way goes on without an answer, when others know how it ended.
 */
const stops: readonly Case[] = [
  ...around('sale', 'store.read'),
  ...around('sale', 'store.write'),
  blow('sale', 'store.write.before', 2),
  blow('capture-part', 'store.write.after', 1, { skip: 1 }),
  blow('capture-part', 'store.write.before', 2, { skip: 1 }),
  blow('return', 'store.write.after', 1),
  blow('retry', 'store.write.after', 1),
  ...(['wire.request-forwarded', 'wire.request-late', 'wire.request-lost', 'wire.answer-lost'] as const).flatMap(
    point => [blow('sale', point, 1), blow('return', point, 2), blow('capture-part', point, 2, { skip: 1 })],
  ),
  blow('status-declined', 'store.write.before', 1),
].map((each): Case => {
  const { context, point, nth } = each
  const stop: Blow = { ...each, act: 'stop', label: `stop at ${context}/${point}#${nth}` }
  return { kind: kindWith(context), blows: [stop] }
})

/** In which payment something is done. */
function kindWith(context: string): Kind {
  const found = (Object.keys(kinds) as Kind[]).find(kind => kinds[kind].some(each => each.context === context))
  return found ?? (context === 'status-declined' ? 'declined' : 'sold')
}

/** Every point × operation, once. The parts are struck at the second one where `later`. */
export const everyCase: readonly Case[] = [
  ...['sale', 'sale-declined', 'retry', 'preauth'].flatMap(ofCreation),
  ...['capture', 'capture-part', 'return', 'return-part', 'void'].flatMap(ofChange),
  ...['status', 'status-declined'].flatMap(ofQuestion),
]
  .map((each): Case => ({ kind: kindWith(each.context), blows: [each] }))
  .concat(resolutions, stops)

/** The database fails while the process lives on. */
export const databaseCases: readonly Case[] = (
  ['server', 'server-soon', 'cut-before', 'cut-after', 'cut-late'] as const
).flatMap(act =>
  [
    blow('sale', 'store.write.before', 1, { act }),
    blow('sale', 'store.write.before', 2, { act }),
    blow('capture-part', 'store.write.before', 1, { act, skip: 1 }),
    blow('capture-part', 'store.write.before', 2, { act, skip: 1 }),
    blow('status-declined', 'store.write.before', 1, { act }),
    blow('retry', 'store.write.before', 1, { act }),
  ].map((each): Case => ({ kind: kindWith(each.context), blows: [each] })),
)

/** A callback: status is asked; what it says is written down with the claim of the telling, the handler runs, and it is answered. */
const ofCallback = (context: string): readonly Blow[] => [
  ...doorPoints.map(point => blow(context, point)),
  ...around(context, 'store.read'),
  ...around(context, 'store.write'),
  ...request(context, 1, ['wire.request-lost', 'wire.answer-lost']),
  ...(['commit.before', 'handler.before', 'handler.after', 'commit.after'] as const).map(point => blow(context, point)),
]

/** Every point of the intake, for what is told first, after a decline, and of a part. */
export const intakeCases: readonly Case[] = [
  ...ofCallback('callback').map((each): Case => ({ kind: 'sold', by: 'callback', blows: [each] })),
  ...ofCallback('callback-declined').map((each): Case => ({ kind: 'declined', by: 'callback', blows: [each] })),
  ...ofCallback('callback-part').map((each): Case => ({ kind: 'returned-parts', by: 'callback', blows: [each] })),
]

/** The database fails while a callback is worked on: at its writes, and while the handler's transaction is open. */
export const intakeDatabaseCases: readonly Case[] = [
  ...(['server', 'server-soon', 'cut-before', 'cut-after', 'cut-late'] as const).flatMap(act => [
    blow('callback', 'store.write.before', 1, { act }),
    blow('callback', 'handler.after', 1, { act }),
  ]),
  ...(['cut-commit-before', 'cut-commit-after', 'cut-commit-late'] as const).map(act =>
    blow('callback', 'handler.after', 1, { act }),
  ),
].map((each): Case => ({ kind: 'sold', by: 'callback', blows: [each] }))
