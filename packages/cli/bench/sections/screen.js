/** How long after the gateway has answered a request its row is on a page that is open in Chromium. */

import { chromium } from 'playwright-core'
import { median } from '../../../../bench/median.js'
import { startBusyGateway } from '../busy-gateway.js'

const { gateway, origin, sell } = await startBusyGateway()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const rows = []
for (const [name, path, region] of [
  ['Overview', '', '#orders'],
  ['Orders', 'orders', '#found'],
]) {
  const page = await browser.newPage()
  await page.goto(`${origin}/__gateway/${path}`)
  const times = []
  for (let round = 1; round <= 21; round += 1) {
    const id = `${name}-${round}`
    const drawn = page.evaluate(
      `new Promise(resolve => {
        const look = () => document.querySelector('${region} tbody').textContent.includes('${id}') ? resolve(Date.now()) : requestAnimationFrame(look)
        look()
      })`,
    )
    // A request comes at any time between two looks of the gateway at itself.
    await page.waitForTimeout(300 + round * 37)
    await sell(id)
    const answered = Date.now()
    times.push((await drawn) - answered)
  }
  await page.close()
  const against = 'ms until the row is there'
  rows.push({ name: `${name}, a new row on screen`, against, ratio: median(times), atMost: 1_000 })
  rows.push({ name: `${name}, the slowest of 21`, against, ratio: Math.max(...times), atMost: 1_000 })
}
await browser.close()
await gateway.close()

export { rows }
