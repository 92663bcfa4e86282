import type { AnyOperation } from '@tillkit/protocol'
import type { GatewaySettings } from '../merchants/settings.js'

export interface OperationRoute {
  readonly kind: 'operation'
  readonly operation: string
  readonly row: AnyOperation
  /** As the path has it; not checked yet. */
  readonly endpointId: string
  /** Whether the path names an endpoint group. */
  readonly group: boolean
}

type Route =
  | OperationRoute
  | { readonly kind: 'hosted-form'; readonly token: string }
  | { readonly kind: 'three-d-secure'; readonly page: string; readonly serverTransId: string }
  | { readonly kind: 'health' }
  | { readonly kind: 'unknown'; readonly explanation: string }

export function findRoute(path: string, settings: GatewaySettings): Route {
  if (path === '/__gateway/health') return { kind: 'health' }
  const { prefix, operations } = settings
  if (!path.startsWith(`${prefix}/`)) {
    const without = path.startsWith('/api/') ? ` The path prefix "${prefix}" is missing.` : ''
    return {
      kind: 'unknown',
      explanation: `Nothing is at this path: every path here begins with "${prefix}/".${without}`,
    }
  }
  const rest = path.slice(prefix.length)
  const token = /^\/form\/([^/]+)$/.exec(rest)?.[1]
  if (token !== undefined) return { kind: 'hosted-form', token }
  const [, page, serverTransId] = /^\/3ds\/([a-z-]+)\/([^/]+)$/.exec(rest) ?? []
  if (page !== undefined && serverTransId !== undefined) return { kind: 'three-d-secure', page, serverTransId }
  const group = settings.profile.groupPath.value
  const cut = rest.lastIndexOf('/')
  const [base, endpointId] = [rest.slice(0, cut), rest.slice(cut + 1)]
  const at = (path: string) => {
    const [operation, row] = Object.entries(operations).findLast(([, each]) => each.path === path) ?? []
    return operation === undefined || row === undefined ? undefined : { operation, row }
  }
  const found = at(base)
  if (found !== undefined) return { kind: 'operation', ...found, endpointId, group: false }
  const grouped = base.endsWith(`/${group.segment}`) ? at(base.slice(0, -group.segment.length - 1)) : undefined
  if (grouped !== undefined && !group.without.includes(grouped.row.name)) {
    return { kind: 'operation', ...grouped, endpointId, group: true }
  }
  return { kind: 'unknown', explanation: unknownPath(rest, operations) }
}

function unknownPath(rest: string, operations: GatewaySettings['operations']): string {
  const rows = Object.values(operations)
  const bare = rows.find(({ path }) => path === rest.replace(/\/$/, ''))
  if (bare !== undefined) return `The path "${bare.path}" lacks its endpoint: it must end with "/{endpointId}".`
  const command = rest.split('/')[3] ?? ''
  const near = rows.filter(({ path }) => command !== '' && path.split('/')[3] === command).map(({ path }) => path)
  const advice = near.length === 0 ? 'See section 4 for the paths.' : `Did you mean ${near.join(' or ')}?`
  return `No operation is at this path. ${advice}`
}
