import { readFile } from 'node:fs/promises'
import ts from 'typescript'

/**
 * A plugin of esbuild: the objects of a literal that begins with a spread and adds fields share one shape.
 *
 * On Node.js 20, V8 gives each object of `{ ...before, added }` a shape of its own, which takes a microsecond, and nothing that reads
 * them is fast again. Where anything stands before the spread, they share one. Node.js 22 has no such fault: ADR 0076.
 */
export const sharedShapes = {
  name: 'shared-shapes',
  setup({ onLoad }: PluginBuild) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: withSharedShapes(await readFile(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/** The part of esbuild's plugin interface that is used. */
interface PluginBuild {
  onLoad(
    options: { filter: RegExp },
    load: (file: { path: string }) => Promise<{ contents: string; loader: 'ts' }>,
  ): void
}

/** A module whose literals do the same. Its lines stay as they are. */
export function withSharedShapes(text: string): string {
  if (!/\{\s*\.\.\./.test(text)) return text
  const places: number[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && node.properties.length > 1) {
      const [first] = node.properties
      if (first !== undefined && ts.isSpreadAssignment(first)) places.push(first.getStart(source))
    }
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest)
  visit(source)
  const parts = [0, ...places].map((place, nth) => text.slice(place, places[nth]))
  return parts.join('...null, ')
}
