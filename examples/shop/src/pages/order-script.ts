/**
 * The order page's script: asks while something is open, and shows what is new. Without it the page is reloaded by hand.
 *
 * @module
 */
export const orderScript = `
const order = document.getElementById('order')
const { open, stages } = order?.dataset ?? {}
const ask = async () => {
  try {
    const response = await fetch(location.pathname + '/version', { headers: { accept: 'application/json' } })
    const now = await response.json()
    if (String(now.open) !== open || String(now.stages) !== stages) return location.reload()
  } catch {}
  setTimeout(ask, 1000)
}
if (Number(open) > 0) setTimeout(ask, 700)
`
