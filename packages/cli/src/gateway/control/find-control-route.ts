/**
 * Finds the route of the control API that a request means.
 *
 * @module
 */
import { ControlError } from './control-error.js'
import { type ControlRouteName, controlPath, controlRoutes } from './control-routes.js'

/** A route and what its path says. */
export interface FoundControlRoute {
  readonly name: ControlRouteName
  readonly input: Readonly<Record<string, string>>
}

/**
 * Finds the route.
 *
 * @throws {@link ControlError} when there is none at the path, or none with the method.
 */
export function findControlRoute(path: string, method: string): FoundControlRoute {
  const rest = path.slice(controlPath.length).replace(/\/$/, '')
  const here = (Object.keys(controlRoutes) as ControlRouteName[]).flatMap(name => {
    const input = matchPath(controlRoutes[name].path, rest)
    return input === undefined ? [] : [{ name, input }]
  })
  const asked = method === 'HEAD' ? 'GET' : method
  const found = here.find(({ name }) => controlRoutes[name].method === asked)
  if (found !== undefined) return found
  const methods = here.map(({ name }) => controlRoutes[name].method)
  if (methods.length > 0) throw new ControlError(405, `This path takes ${methods.join(' and ')}.`)
  const paths = [...new Set(Object.values(controlRoutes).map(route => `${controlPath}${route.path}`))]
  throw new ControlError(404, `Nothing is at this path. There are: ${paths.join(', ')}.`)
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/').slice(1)
  const given = path === '' ? [''] : path.split('/').slice(1)
  if (wanted.length !== given.length) return undefined
  const input: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    if (name === undefined && segment !== value) return undefined
    if (name !== undefined) input[name] = decoded(value)
  }
  return input
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ControlError(400, 'The path is not percent-encoded as it should be.')
  }
}
