/**
 * Which dispatchers report the start of each request: only of these is a request without a report known to be unsent.
 *
 * @module
 */
import type { RequestDispatcher } from '../config/options.js'

/** Classes of undici whose dispatchers report each start. `SnapshotAgent` and those written by others are not among them. */
const reporting = new Set([
  'Agent',
  'BalancedPool',
  'Client',
  'EnvHttpProxyAgent',
  'MockAgent',
  'Pool',
  'ProxyAgent',
  'RetryAgent',
  'RoundRobinPool',
])

/** What those are derived from. */
const bases = new Set(['PoolBase', 'DispatcherBase'])

/**
 * Whether a dispatcher reports the start of each request before its first byte: it says so itself, or it is one of undici's, of
 * any installed copy, as undici made it. One that was put together with `compose`, or derived from undici's, may hide a start.
 */
export function reportsStart(dispatcher: RequestDispatcher): boolean {
  const chain = prototypesOf(dispatcher)
  // `reportsStart` counts only for the `dispatch` on the same object, and not for one that wraps it.
  const holder = [dispatcher, ...chain].find(each => Object.hasOwn(each, 'dispatch'))
  const isWrapped = holder === undefined || Reflect.get(holder, 'dispatch') !== dispatcher.dispatch
  if (isWrapped) return false
  if (Object.hasOwn(holder, 'reportsStart')) return Reflect.get(holder, 'reportsStart') === true
  const [own = '', ...others] = chain.map(each => each.constructor.name)
  const top = others.indexOf('Dispatcher')
  return reporting.has(own) && others[top + 1] === 'EventEmitter' && others.slice(0, top).every(name => bases.has(name))
}

function prototypesOf(given: object): readonly object[] {
  const prototype: object | null = Object.getPrototypeOf(given)
  return prototype === null ? [] : [prototype, ...prototypesOf(prototype)]
}
