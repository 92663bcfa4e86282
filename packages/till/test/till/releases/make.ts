/**
 * Writes down what this release writes: `node --conditions=@tillkit/source --import ../../scripts/source-loader.js
 * test/till/releases/make.ts <file>` in packages/till.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { openScenery, scenes, storedIn } from './scenes.js'

const histories: Record<string, unknown> = {}
for (const [reference, live] of Object.entries(scenes)) {
  const scenery = openScenery()
  await live(scenery)
  histories[reference] = JSON.parse((await storedIn(scenery, reference)).body)
  await scenery.till.close()
  await scenery.gateway.close()
}
writeFileSync(process.argv[2] ?? 'histories.json', `${JSON.stringify(histories, null, 2)}\n`)
