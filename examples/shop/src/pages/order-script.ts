/**
 * The script of the pages of an order: asks while something is open, less and less often, and shows what is new. Without it the page
 * is reloaded by hand.
 *
 * @module
 */
export const orderScript = `
const order = document.getElementById('order')
const { open, version, path } = order?.dataset ?? {}
let wait = 700
const ask = async () => {
  try {
    const response = await fetch(path + '/version')
    if (response.ok && (await response.text()) !== version) return location.reload()
  } catch {}
  wait = Math.min(wait * 1.3, 15000)
  setTimeout(ask, wait)
}
if (open === 'yes') setTimeout(ask, wait)
`
