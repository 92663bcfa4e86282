import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Surroundings } from '../command-line/surroundings.js'
import { UsageError } from '../gateway/errors.js'

/** The surroundings that tell where packages are. */
export type PackagePlaces = Pick<Surroundings, 'folders' | 'packages'>

/**
 * Loads a package that only some commands need: the shop's own one, where the command was started in its folder, else one beside the
 * command.
 *
 * @throws {@link UsageError} that says what to install.
 */
export function load<Module>(name: string, { folders, packages }: PackagePlaces, install = name): Module {
  const loaded = packages?.[name]
  if (loaded !== undefined) return loaded as Module
  for (const folder of folders) {
    const from = createRequire(join(resolve(folder), 'package.json'))
    const path = find(name, from)
    if (path !== undefined) return from(path) as Module
  }
  throw new UsageError(
    `This command needs the package ${install}, and it is not installed here. Start the command in the folder of your shop, or install it: npm install ${install}`,
  )
}

/** The folder of a package that a command has loaded: the packages that only this one needs stand beside it. */
export function folderOf(name: string, { folders }: Pick<Surroundings, 'folders'>): readonly string[] {
  return folders.flatMap(folder => find(name, createRequire(join(resolve(folder), 'package.json'))) ?? []).map(dirname)
}

function find(name: string, from: NodeJS.Require): string | undefined {
  try {
    return from.resolve(name)
  } catch {
    return undefined
  }
}
