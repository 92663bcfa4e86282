/**
 * Pictures of pages, for the documentation.
 *
 * @module
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** The folder of the pictures. */
export const pictures = join(import.meta.dirname, '../../../docs/images')

/** Without a graphics card Chromium now and then has no frame ready of a window that has just grown. */
export async function takePicture(page: Page, path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await page.screenshot({ path })
      return
    } catch (error) {
      if (attempt === 10) throw error
      await page.waitForTimeout(200)
    }
  }
}

/** Makes the window as large as what is in it, and takes a picture of all. */
export async function takeWholePicture(page: Page, path: string): Promise<void> {
  const { width, height } = (await page.locator('body').boundingBox()) ?? { width: 0, height: 0 }
  await page.setViewportSize({ width: Math.ceil(width), height: Math.ceil(height) })
  await takePicture(page, path)
}
