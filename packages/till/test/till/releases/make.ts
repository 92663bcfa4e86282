/**
 * Writes down what this release writes: `node --conditions=@tillkit/source --import ../../scripts/source-loader.js
 * test/till/releases/make.ts <file>` in packages/till.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { documentIn, openScenery, scenes } from './scenes.js'

const documents: Record<string, unknown> = {}
for (const [reference, live] of Object.entries(scenes)) {
  const scenery = openScenery()
  await live(scenery)
  documents[reference] = await documentIn(scenery, reference)
  await scenery.till.close()
  await scenery.gateway.close()
}
writeFileSync(process.argv[2] ?? 'documents.json', `${JSON.stringify(documents, null, 2)}\n`)
